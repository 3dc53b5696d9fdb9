import { readdir } from 'node:fs/promises';
import { stateForeign } from './errors.js';
import type { MeshPaths } from './paths.js';

/** Names in a state folder that belong to the mesh; everything else in it is somebody else's. */
const OUR_NAMES = /^(mesh-\d{3}|pki|logs|prometheus|links\.json)$/;
/** One of these stands as long as anything of a mesh does. */
const PROOFS = ['mesh.json', 'processes.json'];

/** Whether a mesh of ours is, or was once begun, in this folder. */
export async function isOurs(mesh: MeshPaths): Promise<boolean> {
  const names = await readdir(mesh.root);
  return PROOFS.some((proof) => names.includes(proof));
}

/** Throws mesh/state-foreign for a folder where a name that we use belongs to something else. */
export async function refuseForeignFolder(mesh: MeshPaths): Promise<void> {
  if (await isOurs(mesh)) return;
  const names = (await readdir(mesh.root)).filter((name) => OUR_NAMES.test(name));
  if (names.length > 0) throw stateForeign(mesh.root, names);
}
