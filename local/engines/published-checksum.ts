import { z } from 'zod';
import type { ChecksumRecipe } from './recipe.js';

/** Reads the SHA-256 of `fileName` from what a project publishes; undefined when it is not there. */
export function publishedChecksum(
  format: ChecksumRecipe['format'],
  text: string,
  fileName: string,
): string | undefined {
  const sum = rawChecksum(format, text, fileName)?.toLowerCase();
  return sum !== undefined && /^[0-9a-f]{64}$/.test(sum) ? sum : undefined;
}

function rawChecksum(
  format: ChecksumRecipe['format'],
  text: string,
  fileName: string,
): string | undefined {
  switch (format) {
    case 'bare':
      return text.trim().split(/\s+/)[0];
    case 'lines':
      return text
        .split('\n')
        .map((line) => line.trim().split(/\s+\*?/))
        .find(([, name]) => name === fileName)?.[0];
    case 'github-digest':
      return digestOf(text, fileName);
  }
}

const releaseSchema = z.object({
  assets: z.array(z.object({ name: z.string(), digest: z.string().nullish() })),
});

/** GitHub computes a digest of each file when it is uploaded: `"digest": "sha256:…"`. */
function digestOf(text: string, fileName: string): string | undefined {
  const asset = parseRelease(text)?.assets.find(({ name }) => name === fileName);
  return /^sha256:(.*)$/.exec(asset?.digest ?? '')?.[1];
}

function parseRelease(text: string): z.infer<typeof releaseSchema> | undefined {
  try {
    return releaseSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
