import type { JsonObject } from 'setpoint/schema'
import {
  readObject,
  setCondition,
  writeOwnStatus,
  type ApiServer,
  type Commit,
} from '../api/index.ts'
import { formatTime } from '../object/index.ts'
import type { StoredObject } from '../store/index.ts'

const schemasBucket = 'flowcontrol.apiserver.k8s.io/flowschemas'
const levelsBucket = 'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations'

/**
 * Maintains the status of FlowSchemas in the background, as a real server does: it reports whether
 * the priority level exists. Requests are not queued here, but users can read the status.
 */
export function flowSchemaController(server: ApiServer): (commit: Commit) => void {
  const update = (name: string): void => {
    const stored = server.store.get(schemasBucket, name)
    if (stored !== undefined) updateSchema(server, stored)
  }
  const updateAll = (): void => {
    for (const { key } of [...server.store.list(schemasBucket, '')]) update(key)
  }
  // Runs after the response to the write.
  return ({ resource, stored, isDeleted }) => {
    if (resource.bucket === levelsBucket) server.host.setTimer(0, updateAll)
    else if (resource.bucket === schemasBucket && !isDeleted) {
      server.host.setTimer(0, () => update(stored.key))
    }
  }
}

function updateSchema(server: ApiServer, stored: StoredObject): void {
  const [group = '', plural = ''] = schemasBucket.split('/')
  const resource = server.registry.findResource(group, plural)
  if (resource === undefined) return
  const schema = readObject(resource, stored)
  const before = JSON.stringify(schema['status'])
  setCondition(schema, formatTime(server.host.now()), dangling(server, schema))
  if (JSON.stringify(schema['status']) !== before) writeOwnStatus(server, schemasBucket, schema)
}

function dangling(server: ApiServer, schema: JsonObject): Parameters<typeof setCondition>[2] {
  const spec = schema['spec'] as { priorityLevelConfiguration?: { name?: string } }
  const name = spec.priorityLevelConfiguration?.name ?? ''
  const about = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(name)}`
  return server.store.get(levelsBucket, name) === undefined
    ? {
        type: 'Dangling',
        status: 'True',
        reason: 'NotFound',
        message: `${about} but there is no such object`,
      }
    : { type: 'Dangling', status: 'False', reason: 'Found', message: `${about} and it exists` }
}
