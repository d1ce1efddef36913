import { yesOption } from '../access/index.ts'
import type { CommandDeclaration, OptionDeclaration } from '../command/index.ts'

const apiOptions: readonly OptionDeclaration[] = [
  { name: 'group', value: 'DOMAIN', summary: 'the group of its API, like apps.example.com' },
  {
    name: 'api-version',
    value: 'VERSION',
    summary: 'the version of its API; v1alpha1 unless given',
  },
]

/** Makes a project. */
export const newCommand: CommandDeclaration = {
  name: 'new',
  summary: 'make a new project; the same as npm create setpoint',
  details: `Writes a project with one resource, its operator, a test and a sample, and installs its packages. It asks for
what is not given, unless --yes says that the usual is fine.`,
  arguments: [
    { name: 'NAME', summary: 'the folder to make, which names the project', isOptional: true },
  ],
  options: [
    {
      name: 'kind',
      value: 'KIND',
      summary: 'the kind of resource it manages; Website unless given',
    },
    ...apiOptions,
    { name: 'no-install', summary: 'write the files, install nothing' },
    {
      name: 'packages',
      value: 'DIR',
      summary: 'take setpoint from tarballs in this folder: for versions that are not released',
    },
    yesOption,
  ],
  examples: [
    { command: 'setpoint new my-operator', what: 'asks two questions' },
    {
      command: 'setpoint new memcached-operator --kind Memcached --group cache.example.com --yes',
      what: 'asks none',
    },
  ],
  load: async () => (await import('../scaffold/index.ts')).runNew,
}

/** Adds a resource to a project. */
export const addResourceCommand: CommandDeclaration = {
  name: 'add resource',
  summary: 'add a resource with its operator, test and sample to this project',
  arguments: [{ name: 'KIND', summary: 'the kind, like CronTab' }],
  options: apiOptions,
  examples: [
    { command: 'setpoint add resource CronTab', what: 'in the group that the project has already' },
    {
      command: 'setpoint add resource Backup --group ops.example.com --api-version v1',
      what: 'in another',
    },
  ],
  load: async () => (await import('../scaffold/index.ts')).runAddResource,
}
