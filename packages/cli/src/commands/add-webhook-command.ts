import type { CommandDeclaration } from '../command/index.ts'

/** Adds functions that review requests to a project. */
export const addWebhookCommand: CommandDeclaration = {
  name: 'add webhook',
  summary: 'add functions that review requests for a kind, with a test',
  details: `Adds .validate and .mutate to the operator of a kind of this project, or a new operator for a built-in kind. What
exists already is not changed.`,
  arguments: [{ name: 'KIND', summary: 'a kind of the project, or a built-in kind such as Pod' }],
  options: [
    { name: 'validate', summary: 'add only .validate, unless --mutate is given too' },
    { name: 'mutate', summary: 'add only .mutate, unless --validate is given too' },
  ],
  examples: [
    { command: 'setpoint add webhook CronTab', what: 'for a kind of the project' },
    { command: 'setpoint add webhook Pod --validate', what: 'for a built-in kind' },
  ],
  load: async () => (await import('../scaffold/run-add-webhook.ts')).runAddWebhook,
}
