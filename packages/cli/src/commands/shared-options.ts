import type { CommandDeclaration, OptionDeclaration } from '../command/index.ts'

type ArgumentDeclaration = NonNullable<CommandDeclaration['arguments']>[number]

/** The module of the operators. */
export const operatorsArgument: ArgumentDeclaration = {
  name: 'FILE',
  summary: 'the module with the operators; default: src/operators.ts',
  isOptional: true,
}

/** JSON output, for scripts. */
export const jsonOption: OptionDeclaration = { name: 'json', summary: 'print the result as JSON' }

/** Skips the type check. */
export const noTypeCheckOption: OptionDeclaration = {
  name: 'no-typecheck',
  summary: 'do not check the types of the sources first',
}

/** Prints the plan only. */
export const dryRunOption: OptionDeclaration = {
  name: 'dry-run',
  summary: 'print the changes without making them',
}

/** Overwrites the changes of other field managers. */
export const conflictsOption: OptionDeclaration = {
  name: 'force-conflicts',
  summary: 'overwrite fields that other field managers own',
}

/** Objects of users are deleted only on request. */
export const deleteObjectsOption: OptionDeclaration = {
  name: 'delete-objects',
  summary: 'also delete all objects of the custom resources',
}

/** How an API server reaches the webhooks of operators that run outside of its cluster. */
export const webhookOptions: readonly OptionDeclaration[] = [
  {
    name: 'webhook-url',
    value: 'URL',
    summary: 'the URL by which the API server reaches the webhooks on this machine',
  },
  {
    name: 'webhook-port',
    value: 'PORT',
    summary: 'the port of the webhooks on this machine; default: 9443',
  },
]
