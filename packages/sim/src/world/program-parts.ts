import { type AnyOperator, type AnyResourceDefinition, SetpointError } from 'setpoint'
import { declaredIn, type Program } from './program.ts'

function operatorsOf(program: Program): readonly AnyOperator[] {
  const declared = declaredIn(program)
  return typeof declared === 'function' ? [] : declared
}

/** The resources that the operators of a program define. */
export function definitionsOf(program: Program): AnyResourceDefinition[] {
  return operatorsOf(program).flatMap(({ declaration }) => declaration.definition ?? [])
}

/** The resource of the first operator. */
export function definitionOf(program: Program): AnyResourceDefinition {
  const [definition] = definitionsOf(program)
  if (definition === undefined) {
    throw new SetpointError(
      'OPERATOR_INVALID',
      'simulate needs the option resource: the program defines no resource',
      { hint: 'pass resource: YourDefinition, the resource of the sample' },
    )
  }
  return definition
}

/** The further versions of the resources, which are not served: no webhook converts them here. */
function versionNotes(program: Program): string[] {
  return definitionsOf(program).flatMap(({ kind, versions: [own = '', ...others] }) =>
    others.length === 0 ? [] : [`${kind}: only ${own} was served, not ${others.join(', ')}`],
  )
}

/** What of the program was left out. */
export function notesOf(program: Program): string[] {
  const rules = operatorsOf(program)
    .filter(({ declaration }) => declaration.admission.length + declaration.policies.length > 0)
    .map(
      ({ declaration: { options } }) =>
        `${options.name}: its .validate, .mutate and .policy were not in force`,
    )
  return [...rules, ...versionNotes(program)]
}

/** The resources of the children that stay when their owner is deleted. */
export function retainedBy(program: Program): string[] {
  return operatorsOf(program).flatMap(({ declaration }) =>
    declaration.children
      .filter(({ deletion }) => deletion === 'retain')
      .map(({ kind }) => `${kind.group}/${kind.plural}`),
  )
}
