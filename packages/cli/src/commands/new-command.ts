import { yesOption } from '../access/index.ts'
import type { CommandDeclaration, OptionDeclaration } from '../command/index.ts'

const apiOptions: readonly OptionDeclaration[] = [
  { name: 'group', value: 'DOMAIN', summary: 'the API group, for example apps.example.com' },
  {
    name: 'api-version',
    value: 'VERSION',
    summary: 'the version of its API; default: v1alpha1',
  },
]

/** Creates a project. */
export const newCommand: CommandDeclaration = {
  name: 'new',
  summary: 'create a project; the same as npm create setpoint',
  details: `Writes a project with one resource, its operator, a test and a sample, and installs its packages. It asks for
missing values; with --yes it uses the defaults.`,
  arguments: [
    {
      name: 'NAME',
      summary: 'the folder to create, and the name of the project',
      isOptional: true,
    },
  ],
  options: [
    {
      name: 'kind',
      value: 'KIND',
      summary: 'the kind of the resource; default: Website',
    },
    ...apiOptions,
    {
      name: 'from-chart',
      value: 'DIR',
      summary: 'make an operator for the Helm chart in this folder; needs helm',
    },
    { name: 'no-install', summary: 'write the files, but do not install packages' },
    {
      name: 'packages',
      value: 'DIR',
      summary:
        'copy the tarballs of setpoint from this folder to vendor/, and install them from there',
    },
    yesOption,
  ],
  examples: [
    { command: 'setpoint new my-operator', what: 'asks for the kind and the group' },
    {
      command: 'setpoint new memcached-operator --kind Memcached --group cache.example.com --yes',
      what: 'asks no questions',
    },
    {
      command: 'setpoint new shop-operator --from-chart charts/shop --yes',
      what: 'the spec has the values of the chart, and its objects are children',
    },
  ],
  load: async () => (await import('../scaffold/index.ts')).runNew,
}

/** Adds a resource to a project. */
export const addResourceCommand: CommandDeclaration = {
  name: 'add resource',
  summary: 'add a resource with its operator, test and sample to this project',
  arguments: [{ name: 'KIND', summary: 'the kind, for example CronTab' }],
  options: apiOptions,
  examples: [
    { command: 'setpoint add resource CronTab', what: 'in the API group of the project' },
    {
      command: 'setpoint add resource Backup --group ops.example.com --api-version v1',
      what: 'in another API group',
    },
  ],
  load: async () => (await import('../scaffold/index.ts')).runAddResource,
}

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
