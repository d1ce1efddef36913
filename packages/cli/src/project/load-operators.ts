import { isAbsolute, join, relative } from 'node:path'
import { type AnyOperator, isSetpointError } from 'setpoint'
import { type CommandContext, CommandError } from '../command/index.ts'
import { importModule } from '../system/index.ts'
import { findProject, type Project } from './project.ts'

/** The operators of a project, and their module. */
export interface LoadedOperators {
  readonly project: Project
  /** The absolute path of the module that exports them. */
  readonly file: string
  readonly operators: readonly AnyOperator[]
}

const defaultFiles = ['operators', 'operator'].flatMap((name) =>
  ['src/', ''].flatMap((folder) =>
    ['ts', 'mts', 'js', 'mjs'].map((end) => `${folder}${name}.${end}`),
  ),
)

/** Finds the module of the operators: the given one, the one in the settings, or a default one. */
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
    const where = named === undefined ? ', which is set in package.json under "setpoint"' : ''
    throw new CommandError(`there is no module ${relative(folder, given)}${where}`, {
      hint: 'give the module whose default export is an operator, or a list of operators',
    })
  }
  for (const name of defaultFiles) {
    const file = join(project.folder, name)
    if (await isThere(file)) return { project, file }
  }
  throw new CommandError(`no operators found in ${project.folder}`, {
    hint: 'create src/operators.ts, or give another module: setpoint COMMAND path/to/module.ts',
  })
}

/** Loads operators from TypeScript or JavaScript sources. Importing them only declares them. */
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

/** Refuses duplicate names here, instead of when the operators start, perhaps in a pod. */
function distinct(file: string, operators: readonly AnyOperator[]): readonly AnyOperator[] {
  const names = operators.map(({ declaration }) => declaration.options.name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice === undefined) return operators
  throw new CommandError(`two operators of ${file} have the name ${twice}`, {
    hint: "remove one, or set another name: operator(Kind, { name: '...' })",
  })
}

async function importChecked(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importModule(file)
  } catch (error) {
    throw new CommandError(`${file} failed to load: ${messageOf(error)}`, {
      cause: error,
      hint: isSetpointError(error) ? error.hint : undefined,
    })
  }
}

/** The error of a user's module, with the first stack frame of the user's code. */
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

/** Checks the shape, not the class: the project may have another copy of setpoint. */
function isOperator(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('declaration' in value)) return false
  const { declaration } = value
  return typeof declaration === 'object' && declaration !== null && 'kind' in declaration
}
