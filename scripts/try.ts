/**
 * `npm run try -- FOLDER`: a project that uses this clone, anywhere on the disk. It builds and packs
 * the packages, and calls `setpoint new` with the tarballs and the other arguments. The project
 * keeps copies of the tarballs in `vendor/`, and does not need the clone afterwards.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const setpoint = join(root, 'packages/cli/bin/setpoint.mjs')
const words = process.argv.slice(2)
/** npm starts scripts in the clone; relative paths belong to the folder of the user. */
const folder = process.env['INIT_CWD'] ?? process.cwd()

function npm(args: readonly string[]): void {
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

function createProject(args: readonly string[]): number {
  const options = { cwd: folder, stdio: 'inherit' } as const
  return spawnSync(process.execPath, [setpoint, 'new', ...words, ...args], options).status ?? 1
}

if (words.includes('--help') || words.includes('--packages')) {
  process.exitCode = createProject([])
} else {
  const tarballs = mkdtempSync(join(tmpdir(), 'setpoint-packages-'))
  try {
    console.error('building and packing the packages of this clone ...')
    // `npm run check` checks the same sources.
    npm(['run', 'build', '--workspaces', '--', '--unchecked'])
    npm(['pack', '--workspaces', '--pack-destination', tarballs])
    process.exitCode = createProject(['--packages', tarballs])
  } finally {
    rmSync(tarballs, { recursive: true, force: true })
  }
}
