import { stringify } from 'yaml';
import type { Cl2Config } from './config-api.js';

/**
 * The text of a config: fully resolved, block style, every string in double quotes, because a bare
 * `yes` or `1_000` would become something else in YAML 1.1. Absent fields are left out.
 * @see data/clusterloader2.md §6.1
 */
export function configText(config: Cl2Config): string {
  return blockYaml(config);
}

/** Block YAML with quoted strings, for configs and for what ClusterLoader2 reads beside them. */
export function blockYaml(value: object): string {
  return stringify(value, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    doubleQuotedAsJSON: true,
    aliasDuplicateObjects: false,
    lineWidth: 0,
    version: '1.1',
  });
}
