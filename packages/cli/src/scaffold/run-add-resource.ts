import { join } from 'node:path'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { findProject } from '../project/index.ts'
import { addToOperators } from './add-to-operators.ts'
import { resourceNames } from './names.ts'
import { resourceFiles } from './resource-files.ts'

const listFile = 'src/operators.ts'

/** `setpoint add resource`: writes a resource with its operator, test and sample. */
export async function runAddResource(
  context: CommandContext,
  input: CommandInput,
): Promise<ExitCode> {
  const { host, terminal } = context
  const { folder } = await findProject(context)
  const names = resourceNames({
    kind: input.arguments[0] ?? '',
    group: input.value('group') ?? (await groupInUse(context, folder)) ?? 'example.com',
    version: input.value('api-version') ?? 'v1alpha1',
  })
  const files = resourceFiles(names)
  for (const path of Object.keys(files)) {
    if ((await host.fileInfo(join(folder, path))) === undefined) continue
    throw new CommandError(`${path} already exists`, {
      hint: 'nothing was written; move the file, or use another kind',
    })
  }
  for (const [path, text] of Object.entries(files)) {
    await host.makeDirectory(join(folder, path, '..'))
    await host.writeFile(join(folder, path), text)
    terminal.print(`${terminal.style.green('created')} ${path}`)
  }
  const list = join(folder, listFile)
  const before = (await host.fileInfo(list)) && new TextDecoder().decode(await host.readFile(list))
  const text =
    before === undefined
      ? addToOperators('export default []\n', names)
      : addToOperators(before, names)
  if (text === undefined) {
    terminal.printProgress(
      `add the operator to the default export of ${listFile}: import ${names.variable} from './${names.file}.ts'`,
    )
    return exitCodes.ok
  }
  await host.writeFile(list, text)
  terminal.print(
    `${terminal.style.green(before === undefined ? 'created' : 'changed')} ${listFile}`,
  )
  return exitCodes.ok
}

/** The API group of the project's resources, read as text, because the sources may fail to load. */
async function groupInUse({ host }: CommandContext, folder: string): Promise<string | undefined> {
  const sources = join(folder, 'src')
  if ((await host.fileInfo(sources)) === undefined) return undefined
  for (const name of await host.listDirectory(sources)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const text = new TextDecoder().decode(await host.readFile(join(sources, name)))
    const group = /defineResource\(\{[^}]*?\bgroup: '([^']+)'/s.exec(text)?.[1]
    if (group !== undefined) return group
  }
  return undefined
}
