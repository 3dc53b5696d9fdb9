/** One thing that this machine has or lacks. */
export interface DoctorCheck {
  readonly name: string;
  /** `warn`: something works less well or not at all, the local mesh does. `missing`: it cannot run. */
  readonly state: 'ok' | 'warn' | 'missing';
  readonly found: string;
  readonly needed: string;
  /** What to do. @default - nothing, it is fine */
  readonly remedy?: string;
}

/** A check that is fine when `fine`, and otherwise as bad as it says. */
export function judged(
  fine: boolean,
  otherwise: 'warn' | 'missing',
  parts: Omit<DoctorCheck, 'state' | 'remedy'> & { readonly remedy: string },
): DoctorCheck {
  const { remedy, ...rest } = parts;
  return fine ? { ...rest, state: 'ok' } : { ...rest, state: otherwise, remedy };
}
