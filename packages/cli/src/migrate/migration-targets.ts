import type { AnyResourceDefinition } from 'setpoint'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
} from '../command/index.ts'
import { crdName, definitionsOf } from '../generate/index.ts'
import { loadOperators } from '../project/index.ts'

/**
 * The names of the CRDs to migrate. A name with a dot is a CRD of the cluster, which may belong to
 * another project; other names are kinds of this project. Without names, all kinds of the project.
 */
export async function migrationTargets(
  context: CommandContext,
  input: CommandInput,
): Promise<readonly string[]> {
  const names = input.arguments
  if (names.length > 0 && names.every((name) => name.includes('.'))) return [...new Set(names)]
  const { operators } = await loadOperators(context, input.value('operators'))
  const definitions = definitionsOf(operators)
  const found =
    names.length === 0
      ? definitions.map(crdName)
      : names.map((name) => (name.includes('.') ? name : crdName(named(definitions, name))))
  return [...new Set(found)]
}

function named(definitions: readonly AnyResourceDefinition[], name: string): AnyResourceDefinition {
  const wanted = name.toLowerCase()
  const [found, ...others] = definitions.filter(({ kind, plural, singular }) =>
    [kind.toLowerCase(), plural, singular].includes(wanted),
  )
  if (found !== undefined && others.length === 0) return found
  const known = definitions.map(crdName).join(', ')
  const problem =
    found === undefined
      ? `the project has no resource ${name}`
      : `the project has several resources ${name}`
  throw new CommandError(problem, {
    exitCode: exitCodes.usage,
    hint:
      known === ''
        ? 'the project defines no resource; write the name of a CRD: PLURAL.GROUP'
        : `write the name of a CRD; those of the project are ${known}`,
  })
}
