import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import { expandVariables } from './expand-variables.ts'
import type { ProcessImage } from '../process-options.ts'

/** The input of `commandLine`. */
interface CommandParts {
  readonly image: ProcessImage
  readonly container: Pick<Frozen<Container>, 'command' | 'args'>
  /** The variables of the container. */
  readonly env: Readonly<Record<string, string>>
  /** More variables for the texts of the image. */
  readonly facts: Readonly<Record<string, string>>
}

/**
 * The command line of a container, the program first. The container's command replaces the image's
 * command and arguments. The container's arguments replace the image's arguments. The image's
 * `lastArgs` are always appended.
 */
export function commandLine({ image, container, env, facts }: CommandParts): string[] {
  const { command = [], args = [] } = container
  const own = (texts: readonly string[]): string[] =>
    texts.map((text) => expandVariables(text, { ...facts, ...env }))
  const given = (texts: readonly string[]): string[] =>
    texts.map((text) => expandVariables(text, env))
  const entry = typeof image.command === 'string' ? [image.command] : image.command
  const last = own(image.lastArgs ?? [])
  if (command.length > 0) return [...given(command), ...given(args), ...last]
  return [...own(entry), ...(args.length > 0 ? given(args) : own(image.args ?? [])), ...last]
}
