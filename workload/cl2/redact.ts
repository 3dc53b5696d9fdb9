/** Makes lines fit for a log that others will read. Holds state: a key goes over several lines. */
export type Redact = (line: string) => string | undefined;

/**
 * Takes secrets out of ClusterLoader2's output, line by line. Since 2026 it prints the whole
 * kubeconfig, token included, at the verbosity that its step markers need. Gives undefined for a line
 * inside of a PEM block, which is left out. @see data/clusterloader2.md §2.1
 */
export function createRedaction(secrets: readonly string[]): Redact {
  const known = secrets.filter((secret) => secret.length >= SHORTEST);
  let inPem = false;
  return (line) => {
    if (inPem) {
      inPem = !PEM_END.test(line);
      return undefined;
    }
    if (PEM_BEGIN.test(line)) {
      inPem = !PEM_END.test(line);
      return line.replace(/-----BEGIN.*/, REDACTED);
    }
    const without = known.reduce((text, secret) => text.replaceAll(secret, REDACTED), line);
    return PATTERNS.reduce((text, pattern) => text.replace(pattern, `$1${REDACTED}`), without);
  };
}

const REDACTED = '[redacted]';
/** A shorter text would be found in half of all lines. */
const SHORTEST = 8;
const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]+-----/;
const PEM_END = /-----END [A-Z0-9 ]+-----/;

/** Each keeps what its first group matched. */
const PATTERNS: readonly RegExp[] = [
  /((?:client-key-data|client-certificate-data|token|id-token|access-token|refresh-token|password|client-secret)["']?\s*[:=]\s*)(?!\[redacted\])("[^"]*"|'[^']*'|[^\s,}]+)/gi,
  /(\bauthorization["']?\s*[:=]\s*(?:bearer|basic)\s+)[^\s"',]+/gi,
  /(\bbearer\s+)[A-Za-z0-9._~+/-]{16,}=*/gi,
  // JSON Web Tokens, wherever they stand.
  /()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  // A key in base64: `LS0tLS1CRUdJTi` is `-----BEGIN`.
  /()LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}=*/g,
];
