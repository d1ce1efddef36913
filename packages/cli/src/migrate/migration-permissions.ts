import type { Client } from 'setpoint/client'
import { isAllowed, type Permission } from '../access/index.ts'
import { CommandError } from '../command/index.ts'
import type { StoredDefinition } from './stored-definition.ts'

/** Refuses to begin without a permission that the migration of a CRD needs, and names all of them. */
export async function checkPermissions(
  client: Client,
  definition: StoredDefinition,
  isDryRun: boolean,
): Promise<void> {
  const needed = permissionsFor(definition).filter(({ verb }) => !isDryRun || verb === 'list')
  const answers = await Promise.all(needed.map((permission) => isAllowed(client, permission)))
  const missing = needed.filter((_, index) => answers[index] !== true)
  if (missing.length === 0) return
  const lines = missing.map(({ verb, resource, subresource, group, name }) => {
    const full = subresource === '' ? resource : `${resource}/${subresource}`
    return `\n  ${verb} ${full}.${group}${name === undefined ? '' : ` ${name}`}`
  })
  throw new CommandError(
    `you cannot migrate ${definition.name}, because you cannot:${lines.join('')}`,
    {
      hint: 'nothing was written; run it as a user with these permissions, for example a cluster administrator',
    },
  )
}

function permissionsFor({ name, kinds: [kind] }: StoredDefinition): Permission[] {
  const { group, plural } = kind
  const crd = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', name }
  const common = { subresource: '', namespace: undefined }
  return [
    { ...common, group, resource: plural, name: undefined, verb: 'list' },
    { ...common, group, resource: plural, name: undefined, verb: 'patch' },
    { ...common, ...crd, verb: 'patch' },
    { ...common, ...crd, subresource: 'status', verb: 'update' },
  ]
}
