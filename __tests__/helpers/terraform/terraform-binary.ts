import { spawnSync } from 'node:child_process';

/** Terraform versions that the stacks are written for: 1.9 knows `removed` blocks with provisioners. */
const OLDEST = '1.9';

/**
 * The program `terraform`. Where it is missing these tests fail and say what to do: a lifecycle that
 * nobody looked at is not a pass.
 */
export function terraformBinary(): string {
  const program = process.env['MESHSCALE_TERRAFORM'] ?? 'terraform';
  const { error, stdout } = spawnSync(program, ['version', '-json'], {
    encoding: 'utf8',
    env: { ...process.env, CHECKPOINT_DISABLE: '1' },
  });
  const version = /"terraform_version":\s*"(\d+\.\d+)/.exec(stdout)?.[1];
  if (error !== undefined || version === undefined || older(version, OLDEST)) {
    throw new Error(
      `the environment lacks Terraform: ${program} is ${version ?? 'not there'}, ${OLDEST} or later is needed. ` +
        'Install it (https://developer.hashicorp.com/terraform/install) and put it into PATH, or name it in MESHSCALE_TERRAFORM.',
    );
  }
  return program;
}

function older(version: string, than: string): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  const [c = 0, d = 0] = than.split('.').map(Number);
  return a < c || (a === c && b < d);
}
