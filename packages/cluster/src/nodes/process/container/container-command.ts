import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import { expandVariables } from './expand-variables.ts'
import type { ProcessImage } from '../process-options.ts'

/** What a command line is made from. */
interface CommandParts {
  readonly image: ProcessImage
  readonly container: Pick<Frozen<Container>, 'command' | 'args'>
  /** The variables of the container. */
  readonly env: Readonly<Record<string, string>>
  /** More that the image's own texts may name. */
  readonly facts: Readonly<Record<string, string>>
}

/**
 * The command line of a container, its program first: the container's command replaces all that the image says, its
 * arguments replace the image's. What the image says comes last comes last.
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
