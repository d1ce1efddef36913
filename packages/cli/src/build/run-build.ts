import { isAbsolute, join, relative } from 'node:path'
import { build, type BuildResult, type Message, type Metafile } from 'esbuild'
import {
  type CommandContext,
  CommandError,
  counted,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { operatorsFile, operatorsIn, type Project } from '../project/index.ts'
import { exportConditions } from '../system/index.ts'
import { requireTypes } from '../typecheck/index.ts'
import { type Assets, assetsPlugin } from './assets.ts'
import { bundledPackages } from './bundled-packages.ts'
import { bundleDockerfile, isBundleDockerfile } from './dockerfile.ts'
import { sbomOf } from './sbom.ts'
import { unusedYamlPlugin } from './unused-yaml-plugin.ts'

const bundleName = 'operator.mjs'

/** `setpoint build`: bundles the operators into one file, with a Dockerfile and an SBOM. */
export async function runBuild(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const { host, terminal, folder } = context
  const { project, file } = await operatorsFile(context, input.arguments[0])
  const checkTypes = input.has('no-typecheck')
    ? undefined
    : requireTypes(context, { project, file })
  // Report a module that does not load now, instead of in a pod.
  await operatorsIn(file)
  const target = input.value('output') ?? join(project.folder, 'dist')
  const output = isAbsolute(target) ? target : join(folder, target)
  const assets: Assets = new Map()
  const entry = await entryOf(context, input)
  const { outputFiles, metafile, warnings } = await bundleSource(context, {
    project,
    assets,
    source:
      entry === undefined
        ? `import { run } from 'setpoint'\nimport operators from ${JSON.stringify(file)}\nawait run([operators].flat())\n`
        : `import ${JSON.stringify(entry)}\n`,
  })
  for (const warning of warnings)
    terminal.printProgress(`${terminal.style.yellow('warning:')} ${placed(warning)}`)
  const files = new Map(outputFiles.map(({ path, contents }) => [relative('/out', path), contents]))
  const bundle = files.get(bundleName) ?? new Uint8Array()
  const own = { folder: project.folder, own: project.name }
  const packages = await bundledPackages(host, metafile, own)
  for (const [name, path] of assets) files.set(name, await host.readFile(path))
  const encoder = new TextEncoder()
  files.set('sbom.cdx.json', encoder.encode(sbomOf(project, packages, bundle)))
  files.set(
    'Dockerfile',
    encoder.encode(bundleDockerfile([bundleName, `${bundleName}.map`, ...assets.keys()])),
  )
  await checkMayOverwrite(context, output)
  const unchecked = await checkTypes?.()
  if (unchecked !== undefined) terminal.printProgress(unchecked)
  await host.makeDirectory(output)
  for (const [name, content] of files) {
    await host.makeDirectory(join(output, name, '..'))
    await host.writeFile(join(output, name), content)
  }
  printResult(context, { files, output, isJson: input.has('json'), count: packages.length })
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

/**
 * Refuses to overwrite a Dockerfile that `setpoint build` did not write, such as the project's own.
 */
async function checkMayOverwrite({ host, folder }: CommandContext, output: string): Promise<void> {
  const path = join(output, 'Dockerfile')
  if ((await host.fileInfo(path)) === undefined) return
  if (isBundleDockerfile(new TextDecoder().decode(await host.readFile(path)))) return
  throw new CommandError(`${relative(folder, path)} was not written by setpoint build`, {
    hint: 'no file was written; set another folder with --output, or move this file',
  })
}

async function bundleSource(
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
      // The status and annotations identify handlers by the names of their functions.
      keepNames: true,
      legalComments: 'none',
      logLevel: 'silent',
      // This list replaces esbuild's default, which is only `module`.
      conditions: ['module', ...exportConditions()],
      plugins: [assetsPlugin(host, project.folder, assets), unusedYamlPlugin],
      // The packages of Setpoint have such imports between their files.
      logOverride: { 'ignored-bare-import': 'silent' },
      // CommonJS packages call `require` for Node's modules, which ES modules do not have.
      banner: {
        js: "import { createRequire as setpointRequire } from 'node:module';const require = setpointRequire(import.meta.url);",
      },
    })
  } catch (error) {
    const { errors } = error as { readonly errors?: readonly Message[] }
    if (errors === undefined) throw error
    throw new CommandError(`bundling the operators failed:\n${errors.map(placed).join('\n')}`, {
      cause: error,
    })
  }
}

function placed({ text, location }: Message): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column}: ${text}`
}

interface Built {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly output: string
  readonly isJson: boolean
  readonly count: number
}

function printResult(
  { terminal, folder }: CommandContext,
  { files, output, isJson, count }: Built,
): void {
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
    `${counted(count, 'package')} in the bundle; ${terminal.style.dim(`docker build -t IMAGE ${relative(folder, output)}`)}`,
  )
}
