/**
 * commands/: the declarations of all commands.
 *
 * One file per command: name, options, examples, and how to load its code. `main.ts` passes the
 * list to the parser and the help. Only the code of the called command is loaded.
 *
 * The list is in the order in which a new user needs them.
 */
import type { CommandDeclaration } from '../command/index.ts'
import { buildCommand } from './build-command.ts'
import { bundleCommand, scorecardCommand } from './bundle-command.ts'
import { chartCommand } from './chart-command.ts'
import { completionCommand } from './completion-command.ts'
import { deployCommand } from './deploy-command.ts'
import { devCommand, workCommand } from './dev-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { generateCommand } from './generate-command.ts'
import { installCommand } from './install-command.ts'
import { kindsCommand } from './kinds-command.ts'
import { kubectlCommand } from './kubectl-command.ts'
import { migrateCommand } from './migrate-command.ts'
import { addResourceCommand, addWebhookCommand, newCommand } from './new-command.ts'
import { runCommand } from './run-command.ts'
import { runbookCommands } from './runbook-commands.ts'
import { simCommand, simProcessCommand } from './sim-command.ts'
import { undeployCommand } from './undeploy-command.ts'
import { uninstallCommand } from './uninstall-command.ts'

/** All commands. */
export const commands: readonly CommandDeclaration[] = [
  newCommand,
  addResourceCommand,
  addWebhookCommand,
  devCommand,
  simCommand,
  kubectlCommand,
  runCommand,
  generateCommand,
  chartCommand,
  bundleCommand,
  scorecardCommand,
  installCommand,
  uninstallCommand,
  deployCommand,
  undeployCommand,
  ...runbookCommands,
  migrateCommand,
  buildCommand,
  kindsCommand,
  doctorCommand,
  completionCommand(() => commands),
  workCommand,
  simProcessCommand,
]
