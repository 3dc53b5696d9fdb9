import { unsupportedPlatform } from './errors.js';
import type { Platform } from './recipe.js';

const SYSTEMS: Readonly<Record<string, Platform['os']>> = { linux: 'linux', darwin: 'darwin' };
const PROCESSORS: Readonly<Record<string, Platform['arch']>> = { x64: 'amd64', arm64: 'arm64' };

/** Node's names of system and processor as Go's. Throws for machines that nothing is made for. */
export function platformOf(nodePlatform: string, nodeArch: string): Platform {
  const os = SYSTEMS[nodePlatform];
  const arch = PROCESSORS[nodeArch];
  if (os === undefined || arch === undefined) {
    throw unsupportedPlatform(`${nodePlatform} ${nodeArch}`);
  }
  return { os, arch };
}

/** `linux/amd64` */
export function platformText(platform: Platform): string {
  return `${platform.os}/${platform.arch}`;
}
