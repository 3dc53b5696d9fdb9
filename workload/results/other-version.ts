/** What a reader says of a file of another release that it must not guess at. */
export function otherVersion(reading: { readonly given: string; readonly known: string }): string {
  const { given, known } = reading;
  return `another release wrote it (${given}; this one knows ${known}): read the run with that release`;
}
