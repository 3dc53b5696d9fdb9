import { MIB, type Bytes } from '../../../model/quantity.js';
import type { UserError } from '../../../model/user-error.js';
import type { Cl2Job } from '../generate.js';
import { inputTooLarge } from './errors.js';

/** One file of the input: its key in a ConfigMap, and where it lies in the pod. */
export interface InputFile {
  readonly key: string;
  readonly path: string;
  readonly text: string;
}

/** The input of a Job, in as many ConfigMaps as it needs. */
export type PackedInput =
  | { readonly ok: true; readonly maps: readonly (readonly InputFile[])[] }
  | { readonly ok: false; readonly errors: readonly [UserError, ...UserError[]] };

/** Fills ConfigMaps in the order of the files; a file that no ConfigMap can hold is refused. */
export function packInput({ files, monitors }: Pick<Cl2Job, 'files' | 'monitors'>): PackedInput {
  const all: readonly InputFile[] = [
    ...files.map(({ file, text }) => ({ key: file, path: file, text })),
    ...monitors.map(({ file, text }) => ({
      key: `monitors_${file}`,
      path: `monitors/${file}`,
      text,
    })),
  ];
  const [first, ...others] = all
    .filter((one) => sizeOf(one) > LIMIT)
    .map((one) => inputTooLarge(one.path, sizeOf(one), LIMIT));
  if (first !== undefined) return { ok: false, errors: [first, ...others] };
  const maps: InputFile[][] = [];
  let free: Bytes = 0;
  for (const file of all) {
    const size = sizeOf(file);
    if (size > free) {
      maps.push([]);
      free = LIMIT;
    }
    maps.at(-1)?.push(file);
    free -= size;
  }
  return { ok: true, maps };
}

function sizeOf({ key, text }: InputFile): Bytes {
  return key.length + Buffer.byteLength(text);
}

/** A ConfigMap holds 1 MiB. @see https://kubernetes.io/docs/concepts/configuration/configmap/ */
const LIMIT: Bytes = MIB;
