/**
 * Replacements for the programs that a document calls: `kubectl`, `npm`, `npx` and `setpoint`, in
 * the first folder of the PATH.
 */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setpointBin } from '../installed-packages.ts'

/** The root of the repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/**
 * The variables of the commands of a document. The home folder is empty, so that a document cannot
 * use the kubeconfig of the user who runs the tests.
 */
export function commandEnvironment(scratch: string, installed: string): Record<string, string> {
  const shims = join(scratch, 'bin')
  const home = join(scratch, 'home')
  for (const folder of [shims, home]) mkdirSync(folder, { recursive: true })
  const bin = setpointBin(installed)
  write(join(shims, 'npx'), npxLines(bin))
  write(join(shims, 'npm'), npmLines(bin))
  write(join(shims, 'setpoint'), setpointLines(bin))
  write(join(shims, 'kubectl'), [kubectlLine(bin)])
  const { PATH = '', HOME = '', TMPDIR, SETPOINT_TEST_KUBECONFIG } = process.env
  const isReal = process.env['SETPOINT_TEST_WORLD'] === 'real'
  return {
    PATH: `${shims}${delimiter}${PATH}`,
    HOME: home,
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    npm_config_cache: join(HOME, '.npm'),
    npm_config_update_notifier: 'false',
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(isReal ? { KUBECONFIG: SETPOINT_TEST_KUBECONFIG ?? '' } : {}),
  }
}

function write(path: string, lines: readonly string[]): void {
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(path, 0o755)
}

const node = `'${process.execPath}'`

/**
 * `npx setpoint` and `npx tsx` without the second that npx takes; anything else is for the real
 * one.
 */
function npxLines(bin: string): string[] {
  const tsx = join(repository, 'node_modules/tsx/dist/cli.mjs')
  const real = programs('npx')[0] ?? 'npx'
  return [
    'if [ "$1" = setpoint ]; then',
    '  shift',
    ...setpointLines(bin).map((line) => `  ${line}`),
    'fi',
    `if [ "$1" = tsx ]; then shift; exec ${node} '${tsx}' "$@"; fi`,
    `exec '${real}' "$@"`,
  ]
}

/**
 * `npm run try -- NAME` without packing and installing: the packages are linked already. Anything
 * else is for the real npm.
 */
function npmLines(bin: string): string[] {
  const real = programs('npm')[0] ?? 'npm'
  return [
    'if [ "$1 $2 $3" = "run try --" ]; then',
    `  shift 3; exec ${node} '${bin}' new "$@" --no-install`,
    'fi',
    `exec '${real}' "$@"`,
  ]
}

/** On a real cluster `setpoint dev` uses that cluster. */
function setpointLines(bin: string): string[] {
  const kubeconfig = process.env['SETPOINT_TEST_KUBECONFIG'] ?? ''
  const onReal = `if [ "$1" = dev ]; then shift; exec ${node} '${bin}' dev --kubeconfig '${kubeconfig}' --yes "$@"; fi`
  return [
    ...(process.env['SETPOINT_TEST_WORLD'] === 'real' ? [onReal] : []),
    `exec ${node} '${bin}' "$@"`,
  ]
}

/**
 * The kubectl of this machine (KUBECTL, KUBEBUILDER_ASSETS or the PATH), else that of `setpoint
 * kubectl`, which SETPOINT_KUBECTL=small asks for.
 */
function kubectlLine(bin: string): string {
  const { KUBECTL = '', KUBEBUILDER_ASSETS = '', SETPOINT_KUBECTL } = process.env
  const known = [KUBECTL, join(KUBEBUILDER_ASSETS, 'kubectl'), ...programs('kubectl')].filter(
    (path) => path.startsWith('/') && existsSync(path),
  )
  const [real] = SETPOINT_KUBECTL === 'small' ? [] : known
  return real === undefined
    ? `SETPOINT_KUBECTL=small exec ${node} '${bin}' kubectl "$@"`
    : `exec '${real}' "$@"`
}

function programs(name: string): string[] {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path))
}
