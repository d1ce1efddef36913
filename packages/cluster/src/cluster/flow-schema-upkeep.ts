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
 * What a real server does about flow schemas in the background: their status says whether the priority
 * level they name exists. Nothing is queued here, but people look at it.
 */
export function flowSchemaUpkeep(server: ApiServer): (commit: Commit) => void {
  const judge = (name: string): void => {
    const stored = server.store.get(schemasBucket, name)
    if (stored !== undefined) judgeSchema(server, stored)
  }
  const judgeAll = (): void => {
    for (const { key } of [...server.store.list(schemasBucket, '')]) judge(key)
  }
  // After the answer to the write that is the reason for it.
  return ({ resource, stored, isGone }) => {
    if (resource.bucket === levelsBucket) server.host.setTimer(0, judgeAll)
    else if (resource.bucket === schemasBucket && !isGone) {
      server.host.setTimer(0, () => judge(stored.key))
    }
  }
}

function judgeSchema(server: ApiServer, stored: StoredObject): void {
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
