/**
 * commands/: every command, as it is declared.
 *
 * One file per command: words, options, examples, and which folder does it. `main.ts` hands the list to the parser and
 * the help. The code is loaded only for the command that is called.
 *
 * The list is in the order in which a person meets them.
 */
import type { CommandDeclaration } from '../command/index.ts'
import { buildCommand } from './build.ts'
import { completionCommand } from './completion.ts'
import { deployCommand } from './deploy.ts'
import { devCommand, workCommand } from './dev.ts'
import { doctorCommand } from './doctor.ts'
import { generateCommand } from './generate.ts'
import { installCommand } from './install.ts'
import { kindsCommand } from './kinds.ts'
import { kubectlCommand } from './kubectl.ts'
import { addResourceCommand, newCommand } from './new.ts'
import { runCommand } from './run.ts'
import { undeployCommand } from './undeploy.ts'
import { uninstallCommand } from './uninstall.ts'

/** All commands. */
export const commands: readonly CommandDeclaration[] = [
  newCommand,
  addResourceCommand,
  devCommand,
  kubectlCommand,
  runCommand,
  generateCommand,
  installCommand,
  uninstallCommand,
  deployCommand,
  undeployCommand,
  buildCommand,
  kindsCommand,
  doctorCommand,
  completionCommand(() => commands),
  workCommand,
]
