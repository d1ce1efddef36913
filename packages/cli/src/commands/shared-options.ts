import type { CommandDeclaration, OptionDeclaration } from '../command/index.ts'

type ArgumentDeclaration = NonNullable<CommandDeclaration['arguments']>[number]

/** Which operators a command is about. */
export const operatorsArgument: ArgumentDeclaration = {
  name: 'FILE',
  summary: 'the module with the operators; src/operators.ts unless given',
  isOptional: true,
}

/** The form of the result for scripts. */
export const jsonOption: OptionDeclaration = { name: 'json', summary: 'print the result as JSON' }

/** For those who want to know first. */
export const dryRunOption: OptionDeclaration = {
  name: 'dry-run',
  summary: 'show what would happen, and do nothing',
}

/** For applications that others have a part in. */
export const conflictsOption: OptionDeclaration = {
  name: 'force-conflicts',
  summary: 'take over fields that others have set to other values',
}

/** What users made is not ours to delete. */
export const deleteObjectsOption: OptionDeclaration = {
  name: 'delete-objects',
  summary: 'delete the objects of the resources as well',
}
