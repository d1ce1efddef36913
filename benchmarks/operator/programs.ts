import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Command } from './measured-program.ts'

/** A program that is ready to be measured. */
export interface BuiltProgram {
  readonly name: string
  readonly version: string
  readonly operator: Command
  readonly cache: Command
}

const here = fileURLToPath(new URL('.', import.meta.url))

/** The folder of a build, and the Node binary for the program. */
interface BuildPlace {
  readonly folder: string
  readonly node: string
}

/** The builders of the programs, each in its own folder outside the repository. */
const builders: Readonly<Record<string, (place: BuildPlace) => Promise<BuiltProgram>>> = {
  setpoint: buildSetpoint,
  'controller-runtime': buildControllerRuntime,
  'client-node': buildClientNode,
}

/** All programs; ratios are relative to controller-runtime. */
export const programNames = Object.keys(builders)

/** Builds the programs. Without Go, controller-runtime is skipped with a message. */
export async function buildPrograms(
  names: readonly string[],
  { folder, node }: BuildPlace,
  print: (text: string) => void,
): Promise<BuiltProgram[]> {
  const built: BuiltProgram[] = []
  for (const name of names) {
    if (name === 'controller-runtime' && !hasGo()) {
      print('skipping controller-runtime: `go` is not in the PATH')
      continue
    }
    const own = join(folder, name)
    mkdirSync(own)
    print(`building ${name}`)
    const program = await builders[name]?.({ folder: own, node })
    if (program !== undefined) built.push(program)
  }
  return built
}

/** Bundled and minified, as in an image. */
async function buildSetpoint({ folder, node }: BuildPlace): Promise<BuiltProgram> {
  const source = (name: string): string => join(here, 'setpoint', name)
  await build({
    entryPoints: [source('operator.ts'), source('cache.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['@setpoint/source'],
    // Some dependencies are CommonJS and load Node's modules by `require`.
    banner: {
      js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
  })
  const { version } = manifestOf(join(here, '../../packages/setpoint/package.json'))
  return { name: 'setpoint', version: version ?? '', ...nodeCommands({ folder, node }) }
}

async function buildControllerRuntime({ folder }: BuildPlace): Promise<BuiltProgram> {
  const cwd = join(here, 'controller-runtime')
  const packages = ['./operator', './cache']
  execFileSync('go', ['build', '-buildvcs=false', '-o', `${folder}/`, ...packages], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const module = readFileSync(join(cwd, 'go.mod'), 'utf8')
  const version = /controller-runtime v(\S+)/.exec(module.replace(/^module .*/, ''))?.[1] ?? ''
  const go = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim()
  const command = (name: string): Command => ({ file: join(folder, name), args: [] })
  return {
    name: 'controller-runtime',
    version: `${version} (${go})`,
    operator: command('operator'),
    cache: command('cache'),
  }
}

/** Installed next to a copy, so that it is not part of our own dependencies. */
async function buildClientNode({ folder, node }: BuildPlace): Promise<BuiltProgram> {
  const source = join(here, 'client-node')
  for (const name of readdirSync(source)) copyFileSync(join(source, name), join(folder, name))
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error']
  execFileSync('npm', ['install', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const { version } = manifestOf(join(folder, 'node_modules/@kubernetes/client-node/package.json'))
  return { name: 'client-node', version: version ?? '', ...nodeCommands({ folder, node }) }
}

function nodeCommands({ folder, node }: BuildPlace): { operator: Command; cache: Command } {
  const command = (name: string, ...flags: string[]): Command => ({
    file: node,
    args: [...flags, join(folder, name)],
  })
  return { operator: command('operator.mjs'), cache: command('cache.mjs', '--expose-gc') }
}

function manifestOf(path: string): { readonly version?: string } {
  return JSON.parse(readFileSync(path, 'utf8')) as { version?: string }
}

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
