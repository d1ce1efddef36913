import { type CommandDeclaration, completionOf, type Shell, shells } from '../command/index.ts'

/** Prints a script by which a shell completes these commands. */
export function completionCommand(
  commands: () => readonly CommandDeclaration[],
): CommandDeclaration {
  return {
    name: 'completion',
    summary: 'print a script that completes commands and options in your shell',
    arguments: [{ name: 'SHELL', summary: `one of ${shells.join(', ')}`, choices: shells }],
    options: [],
    examples: [
      { command: 'source <(setpoint completion bash)', what: 'in ~/.bashrc' },
      { command: 'source <(setpoint completion zsh)', what: 'in ~/.zshrc, after compinit' },
      {
        command: 'setpoint completion fish > ~/.config/fish/completions/setpoint.fish',
        what: 'once, for fish',
      },
    ],
    load:
      async () =>
      async ({ terminal }, input) => {
        const [shell] = input.arguments
        terminal.print(completionOf(shell as Shell, commands()).trimEnd())
        return undefined
      },
  }
}
