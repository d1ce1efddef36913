import { isAbsolute, join, relative } from 'node:path'
import type { CrdManifest } from 'setpoint'
import { isApiError } from 'setpoint/client'
import { CustomResourceDefinition, typesFromCrd } from 'setpoint/kinds'
import { accessCluster } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { readInput } from '../system/index.ts'
import { crdsInText } from './crds-in-text.ts'

/** A module and whether it changed. */
interface Written {
  readonly crd: string
  readonly file: string
  readonly change: 'created' | 'changed' | 'unchanged'
}

/** `setpoint kinds`: writes types for third-party custom resources. */
export async function runKinds(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const { host, terminal, folder } = context
  const crds = selected(await crdsFrom(context, input), input)
  const target = input.value('output') ?? 'src/kinds'
  const output = isAbsolute(target) ? target : join(folder, target)
  const isChecking = input.has('check')
  const written: Written[] = []
  for (const crd of crds) {
    const file = join(output, `${fileName(crd, crds)}.ts`)
    const text = `${headerOf(crd)}; changes are overwritten.\n${typesOf(crd)}`
    const before =
      (await host.fileInfo(file)) && new TextDecoder().decode(await host.readFile(file))
    if (before?.startsWith(`${headerOf(crd)};`) === false) {
      throw new CommandError(
        `${relative(folder, file)} was not generated from ${crd.metadata.name}`,
        {
          hint: 'the file was not changed; move it, or set another folder with --output',
        },
      )
    }
    const change = before === undefined ? 'created' : before === text ? 'unchanged' : 'changed'
    if (!isChecking && change !== 'unchanged') {
      await host.makeDirectory(output)
      await host.writeFile(file, text)
    }
    written.push({ crd: crd.metadata.name, file: relative(folder, file), change })
  }
  if (input.has('json')) terminal.print(JSON.stringify(written))
  else for (const { change, file } of written) terminal.print(`${change.padEnd(9)} ${file}`)
  const isStale = written.some(({ change }) => change !== 'unchanged')
  return isChecking && isStale ? exitCodes.failed : exitCodes.ok
}

async function crdsFrom(context: CommandContext, input: CommandInput): Promise<CrdManifest[]> {
  const { host, folder } = context
  const from = input.value('from')
  if (from === undefined) {
    throw new CommandError('--from is missing', {
      exitCode: exitCodes.usage,
      hint: 'give a file with CRDs, or cluster: setpoint kinds --from crd.yaml',
    })
  }
  if (from === '-') return crdsInText('the standard input', await readInput())
  if (from === 'cluster') return crdsOfCluster(context, input)
  const path = isAbsolute(from) ? from : join(folder, from)
  const info = await host.fileInfo(path)
  if (info === undefined) throw new CommandError(`there is no file ${from}`)
  const files = info.isDirectory
    ? (await host.listDirectory(path))
        .filter((name) => /\.(ya?ml|json)$/.test(name))
        .map((name) => join(path, name))
    : [path]
  const texts = await Promise.all(
    files.map(async (file) =>
      crdsInText(file, new TextDecoder().decode(await host.readFile(file))),
    ),
  )
  return texts.flat()
}

/** Requires names: a cluster usually has many CRDs that are not needed. */
async function crdsOfCluster(context: CommandContext, input: CommandInput): Promise<CrdManifest[]> {
  if (input.arguments.length === 0) {
    throw new CommandError('--from cluster needs NAME', {
      exitCode: exitCodes.usage,
      hint: 'give CRDs, kinds or groups: setpoint kinds --from cluster cert-manager.io',
    })
  }
  const { client } = await accessCluster(context, input)
  try {
    return (await client.listAll(CustomResourceDefinition)) as unknown as CrdManifest[]
  } catch (error) {
    if (!isApiError(error, 'API_FORBIDDEN')) throw error
    throw new CommandError('you cannot read the CRDs of this cluster', {
      cause: error,
      hint: 'you need `list` on customresourcedefinitions; or use a file: --from crd.yaml',
    })
  }
}

function selected(crds: readonly CrdManifest[], input: CommandInput): CrdManifest[] {
  if (crds.length === 0) throw new CommandError('no CRDs found')
  const names = input.arguments
  if (names.length === 0) return [...crds]
  const matches = ({ metadata, spec }: CrdManifest, name: string): boolean =>
    [metadata.name, spec.group, spec.names.kind, spec.names.plural].includes(name)
  const unknown = names.find((name) => !crds.some((crd) => matches(crd, name)))
  if (unknown !== undefined) {
    const known = crds.map(({ metadata }) => metadata.name).slice(0, 10)
    throw new CommandError(`there is no CRD ${unknown}`, { hint: `there are ${known.join(', ')}` })
  }
  return crds.filter((crd) => names.some((name) => matches(crd, name)))
}

function typesOf(crd: CrdManifest): string {
  try {
    return typesFromCrd(crd)
  } catch (cause) {
    throw new CommandError(`${crd.metadata.name}: ${(cause as Error).message}`, { cause })
  }
}

/** The beginning of a generated file, which may be overwritten. */
function headerOf({ metadata }: CrdManifest): string {
  return `// Made by \`setpoint kinds\` from ${metadata.name}`
}

/**
 * `certificates.cert-manager.io` becomes certificate.ts; kinds of the same name get their group in
 * it.
 */
function fileName({ spec }: CrdManifest, all: readonly CrdManifest[]): string {
  const { kind } = spec.names
  const isShared = all.filter((other) => other.spec.names.kind === kind).length > 1
  const name = kind.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
  return isShared ? `${name}.${spec.group}` : name
}
