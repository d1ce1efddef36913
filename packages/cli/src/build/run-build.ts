import { isAbsolute, join, relative } from 'node:path'
import { build, type BuildResult, type Message, type Metafile, type Plugin } from 'esbuild'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { operatorsFile, operatorsIn, type Project } from '../project/index.ts'
import { exportConditions } from '../system/index.ts'
import { type Assets, assetsPlugin } from './assets.ts'
import { bundledPackages } from './bundled-packages.ts'
import { imageStage } from './image-stage.ts'
import { sbomOf } from './sbom.ts'

const bundleName = 'operator.mjs'

const madeBy = 'Made by `setpoint build`.'

/** `setpoint build`: everything a pod runs, as one file, with what an image and its auditors need. */
export async function runBuild(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const { host, terminal, folder } = context
  const { project, file } = await operatorsFile(context, input.arguments[0])
  // What does not load now would not load in a pod either; and here somebody sees it.
  await operatorsIn(file)
  const target = input.value('output') ?? join(project.folder, 'dist')
  const output = isAbsolute(target) ? target : join(folder, target)
  const assets: Assets = new Map()
  const entry = await entryOf(context, input)
  const { outputFiles, metafile, warnings } = await bundled(context, {
    project,
    assets,
    source:
      entry === undefined
        ? `import { run } from 'setpoint'\nimport operators from ${JSON.stringify(file)}\nawait run([operators].flat())\n`
        : `import ${JSON.stringify(entry)}\n`,
  })
  for (const warning of warnings)
    terminal.note(`${terminal.style.yellow('warning:')} ${placed(warning)}`)
  const files = new Map(outputFiles.map(({ path, contents }) => [relative('/out', path), contents]))
  const bundle = files.get(bundleName) ?? new Uint8Array()
  const own = { folder: project.folder, own: project.name }
  const packages = await bundledPackages(host, metafile, own)
  for (const [name, path] of assets) files.set(name, await host.readFile(path))
  const encoder = new TextEncoder()
  files.set('sbom.cdx.json', encoder.encode(sbomOf(project, packages, bundle)))
  files.set('Dockerfile', encoder.encode(dockerfileOf([...assets.keys()])))
  await checkIsOurs(context, output)
  await host.makeDirectory(output)
  for (const [name, content] of files) await host.writeFile(join(output, name), content)
  tell(context, { files, output, isJson: input.has('json'), count: packages.length })
  return exitCodes.ok
}

async function entryOf(
  { host, folder }: CommandContext,
  input: CommandInput,
): Promise<string | undefined> {
  const given = input.value('entry')
  if (given === undefined) return undefined
  const path = isAbsolute(given) ? given : join(folder, given)
  if ((await host.fileInfo(path))?.isDirectory === false) return path
  throw new CommandError(`there is no module ${given}`, {
    hint: '--entry names a module that calls run',
  })
}

/** A project has a Dockerfile of its own, which is not this one. */
async function checkIsOurs({ host, folder }: CommandContext, output: string): Promise<void> {
  const path = join(output, 'Dockerfile')
  if ((await host.fileInfo(path)) === undefined) return
  if (new TextDecoder().decode(await host.readFile(path)).includes(madeBy)) return
  throw new CommandError(`${relative(folder, path)} is not made by setpoint build`, {
    hint: 'nothing was written; name another folder with --output, or move the file away',
  })
}

async function bundled(
  { host }: CommandContext,
  {
    project,
    assets,
    source,
  }: { readonly project: Project; readonly assets: Assets; readonly source: string },
): Promise<{
  outputFiles: NonNullable<BuildResult['outputFiles']>
  metafile: Metafile
  warnings: Message[]
}> {
  try {
    return await build({
      stdin: {
        contents: source,
        resolveDir: project.folder,
        sourcefile: 'setpoint-build.ts',
        loader: 'ts',
      },
      absWorkingDir: project.folder,
      outfile: `/out/${bundleName}`,
      write: false,
      metafile: true,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'linked',
      minify: true,
      // Handlers are known by the names of their functions, in the status and in annotations.
      keepNames: true,
      legalComments: 'none',
      logLevel: 'silent',
      // Naming conditions replaces the one that esbuild has by itself.
      conditions: ['module', ...exportConditions()],
      plugins: [assetsPlugin(host, project.folder, assets), unusedPlugin],
      // Our own packages have such imports between their files.
      logOverride: { 'ignored-bare-import': 'silent' },
      // Packages in the older format ask for Node's modules in a way that the newer one does not know.
      banner: {
        js: "import { createRequire as setpointRequire } from 'node:module';const require = setpointRequire(import.meta.url);",
      },
    })
  } catch (error) {
    const { errors } = error as { readonly errors?: readonly Message[] }
    if (errors === undefined) throw error
    throw new CommandError(`the operators cannot be bundled:\n${errors.map(placed).join('\n')}`, {
      cause: error,
    })
  }
}

/**
 * The reader for YAML does nothing when it is imported, but does not say so: without this it would be in every bundle,
 * also of operators that have no templates.
 */
const unusedPlugin: Plugin = {
  name: 'setpoint-unused',
  setup(build) {
    build.onResolve({ filter: /^yaml$/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === 'resolved') return undefined
      const { path: found } = await build.resolve(path, { ...options, pluginData: 'resolved' })
      return found === '' ? undefined : { path: found, sideEffects: false }
    })
  },
}

function placed({ text, location }: Message): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column}: ${text}`
}

function dockerfileOf(assets: readonly string[]): string {
  const copied = [bundleName, `${bundleName}.map`, ...assets].join(' ')
  return `# docker build -t IMAGE DIST, where DIST is the folder of this file. ${madeBy}
FROM node:24-alpine AS node

${imageStage(`COPY ${copied} /app/`)}`
}

interface Built {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly output: string
  readonly isJson: boolean
  readonly count: number
}

function tell({ terminal, folder }: CommandContext, { files, output, isJson, count }: Built): void {
  const sizes = [...files]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, { length }]) => ({
      file: join(output, name),
      bytes: length,
    }))
  if (isJson) {
    terminal.print(JSON.stringify({ files: sizes, packages: count }))
    return
  }
  for (const { file, bytes } of sizes) {
    terminal.print(
      `${relative(folder, file).padEnd(28)} ${(bytes / 1000).toFixed(1).padStart(9)} KB`,
    )
  }
  terminal.print(
    `${count} packages in it; ${terminal.style.dim(`docker build -t IMAGE ${relative(folder, output)}`)}`,
  )
}
