import type { AnyResourceDefinition } from 'setpoint'
import { checkRules } from 'setpoint/cel'
import { checkCrd } from 'setpoint/schema'
import { CommandError } from '../command/index.ts'
import { crdName } from './definition-objects.ts'

/**
 * Refuses a definition whose CEL rules a server would refuse: they do not compile, or cost too much.
 * The definition itself does not check that, so that operators do not contain the compiler.
 */
export function checkDefinitionRules(definition: AnyResourceDefinition): void {
  const { errors } = checkCrd(definition.crd(), { checkRules })
  if (errors.length === 0) return
  const problems = errors.map(({ field, message }) => `${field}: ${message}`)
  throw new CommandError(`a server would refuse ${crdName(definition)}:\n${problems.join('\n')}`, {
    hint: "correct the expressions in rule('...'); nothing was written",
  })
}
