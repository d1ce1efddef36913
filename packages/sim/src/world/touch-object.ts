import { isApiError } from 'setpoint/client'
import type { RecordedWrite } from './recording.ts'
import type { SimWorld } from './sim-world.ts'

/** The annotation by which another client changes an object. It is not compared. */
export const touchAnnotation = 'simulation.setpoint.dev/touched'

/** Another client changes the object of a write, so that its resource version is another one. */
export async function touchObject({ cluster }: SimWorld, write: RecordedWrite): Promise<void> {
  const { group, plural, namespace, name } = write
  if (name === '') return
  const kind = {
    group,
    version: write.version,
    apiVersion: group === '' ? write.version : `${group}/${write.version}`,
    kind: plural,
    plural,
    scope: namespace === '' ? ('Cluster' as const) : ('Namespaced' as const),
    subresources: [],
  }
  const ref = namespace === '' ? name : { name, namespace }
  try {
    const annotations = { [touchAnnotation]: String(write.number) }
    await cluster.client.patch(kind, ref, { merge: { metadata: { annotations } } })
  } catch (error) {
    if (!isApiError(error, 'API_NOT_FOUND')) throw error
  }
}
