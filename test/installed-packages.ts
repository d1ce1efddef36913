/**
 * The packages as they are published: bundled, in a folder that can be linked as node_modules.
 * Processes that use them start faster, because they load few files, and test the published code.
 */
import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bundlePackage } from '../scripts/bundle-package.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, 'node_modules/.cache/setpoint')
/** How long bundles of older sources are kept. */
const keptMs = 3_600_000
const folders = ['setpoint', 'cluster', 'sim', 'cli', 'create-setpoint']

/** The time of the latest change below a folder, except tests and their data. */
function changedMs(folder: string): number {
  return Math.max(
    statSync(folder).mtimeMs,
    ...readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !/\.test\.ts$|^(testdata|dist|node_modules)$/.test(name))
      .map((entry) => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? changedMs(path) : statSync(path).mtimeMs
      }),
  )
}

/** A folder with the packages, bundled from the current sources. */
export async function installedPackages(): Promise<string> {
  const stamp = Math.max(...folders.map((name) => changedMs(join(root, 'packages', name))))
  const target = join(cache, `installed-${Math.round(stamp)}`)
  if (statSync(target, { throwIfNoEntry: false }) !== undefined) return target
  mkdirSync(cache, { recursive: true })
  const temporary = mkdtempSync(join(cache, 'installing-'))
  // Below node_modules, so that they resolve each other and not the sources.
  const modules = join(temporary, 'node_modules')
  for (const name of folders) await install(join(root, 'packages', name), modules)
  try {
    // An atomic rename: other tests may bundle at the same time.
    renameSync(temporary, target)
  } catch {
    rmSync(temporary, { recursive: true, force: true })
  }
  for (const name of readdirSync(cache)) {
    const isOther = name.startsWith('installed-') && join(cache, name) !== target
    // Newer bundles may be in use by tests that started before the latest change.
    const isOld = isOther && statSync(join(cache, name)).mtimeMs < performance.timeOrigin - keptMs
    if (isOld) rmSync(join(cache, name), { recursive: true, force: true })
  }
  return target
}

async function install(from: string, into: string): Promise<void> {
  const { name } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { name: string }
  const to = join(into, name)
  mkdirSync(to, { recursive: true })
  await cp(join(from, 'package.json'), join(to, 'package.json'))
  if (statSync(join(from, 'bin'), { throwIfNoEntry: false })) {
    await cp(join(from, 'bin'), join(to, 'bin'), { recursive: true })
  }
  await bundlePackage(from, join(to, 'dist'))
  // Documents check the types of programs that import these packages.
  if (['setpoint', '@setpoint/cluster', '@setpoint/sim'].includes(name)) {
    const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
    const options = ['--project', 'tsconfig.build.json', '--noCheck', '--outDir', join(to, 'dist')]
    await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: from })
  }
}

/** Links node_modules in a folder: the bundled packages, and the dependencies of the repository. */
export function linkPackages(folder: string, installed: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@setpoint'), { recursive: true })
  for (const name of [
    'setpoint',
    '@setpoint/cluster',
    '@setpoint/sim',
    '@setpoint/cli',
    'create-setpoint',
  ]) {
    symlinkSync(join(installed, 'node_modules', name), join(modules, name))
  }
  for (const name of ['zod', 'yaml', 'vitest', 'typescript', '@types', 'tsx', 'esbuild']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  mkdirSync(join(modules, '.bin'))
  symlinkSync(setpointBin(installed), join(modules, '.bin/setpoint'))
  for (const name of ['tsc', 'tsx', 'vitest']) {
    symlinkSync(join(root, 'node_modules/.bin', name), join(modules, '.bin', name))
  }
}

/** The command `setpoint` of the bundled packages. */
export function setpointBin(installed: string): string {
  return join(installed, 'node_modules/@setpoint/cli/bin/setpoint.mjs')
}
