import { isAbsolute, join, relative } from 'node:path'
import { type AnyOperator, isSetpointError } from 'setpoint'
import { type CommandContext, CommandError } from '../command/index.ts'
import { importModule } from '../system/index.ts'
import { findProject, type Project } from './project.ts'

/** The operators of a project, and where they come from. */
export interface LoadedOperators {
  readonly project: Project
  /** The module they are the default export of, with its whole path. */
  readonly file: string
  readonly operators: readonly AnyOperator[]
}

const usualFiles = ['operators', 'operator'].flatMap((name) =>
  ['src/', ''].flatMap((folder) =>
    ['ts', 'mts', 'js', 'mjs'].map((end) => `${folder}${name}.${end}`),
  ),
)

/** Finds the module that has the operators: the one that was named, that of the settings, or the usual one. */
export async function operatorsFile(
  context: CommandContext,
  named?: string,
): Promise<{ readonly project: Project; readonly file: string }> {
  const { host, folder } = context
  const project = await findProject(context)
  const isThere = async (path: string): Promise<boolean> =>
    (await host.fileInfo(path))?.isDirectory === false
  const given =
    named === undefined
      ? project.settings.operators && join(project.folder, project.settings.operators)
      : isAbsolute(named)
        ? named
        : join(folder, named)
  if (given !== undefined) {
    if (await isThere(given)) return { project, file: given }
    const where = named === undefined ? ', which "setpoint" in package.json names' : ''
    throw new CommandError(`there is no module ${relative(folder, given)}${where}`, {
      hint: 'name the module whose default export is an operator, or a list of them',
    })
  }
  for (const name of usualFiles) {
    const file = join(project.folder, name)
    if (await isThere(file)) return { project, file }
  }
  throw new CommandError(`no operators were found in ${project.folder}`, {
    hint: 'their module is src/operators.ts unless you name another: setpoint COMMAND path/to/module.ts',
  })
}

/** Loads operators from TypeScript or JavaScript sources. Importing them does nothing but declare them. */
export async function loadOperators(
  context: CommandContext,
  named?: string,
): Promise<LoadedOperators> {
  const { project, file } = await operatorsFile(context, named)
  return { project, file, operators: await operatorsIn(file) }
}

/** The operators that a module has as its default export. */
export async function operatorsIn(file: string): Promise<readonly AnyOperator[]> {
  const exported = (await importChecked(file))['default']
  const operators = [exported ?? []].flat()
  const wrong = operators.findIndex((each) => !isOperator(each))
  if (operators.length > 0 && wrong < 0) return distinct(file, operators as AnyOperator[])
  throw new CommandError(
    exported === undefined
      ? `${file} has no default export`
      : operators.length === 0
        ? `the default export of ${file} is an empty list`
        : `the default export of ${file} is not an operator`,
    { hint: 'write `export default operator(Kind)...`, or `export default [one, another]`' },
  )
}

/** What the operators would find out only when they start, perhaps in a pod. */
function distinct(file: string, operators: readonly AnyOperator[]): readonly AnyOperator[] {
  const names = operators.map(({ declaration }) => declaration.options.name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice === undefined) return operators
  throw new CommandError(`two operators of ${file} are called ${twice}`, {
    hint: "leave one out, or give it a name of its own: operator(Kind, { name: '...' })",
  })
}

async function importChecked(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importModule(file)
  } catch (error) {
    throw new CommandError(`${file} could not be loaded: ${messageOf(error)}`, {
      cause: error,
      hint: isSetpointError(error) ? error.hint : undefined,
    })
  }
}

/** What went wrong in somebody's module, with where: the first line of the stack that is theirs. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, stack = '' } = error
  const own = stack
    .split('\n')
    .find((line) => /^\s+at /.test(line) && !/node_modules|node:|packages\/setpoint/.test(line))
  const at = own === undefined ? '' : `\n  ${own.trim()}`
  const first = isSetpointError(error) ? (message.split('\n  hint:')[0] ?? message) : message
  return `${first}${at}`
}

/** By its looks, not by its class: a project may have a copy of setpoint of its own. */
function isOperator(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('declaration' in value)) return false
  const { declaration } = value
  return typeof declaration === 'object' && declaration !== null && 'kind' in declaration
}
