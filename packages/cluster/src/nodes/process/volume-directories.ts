import { operator, type AnyOperator } from 'setpoint'
import { PersistentVolume } from 'setpoint/kinds'
import type { ProcessDirectories } from './process-directories.ts'

/** Removes the directories of deleted persistent volumes. */
export function volumeDirectories(directories: ProcessDirectories): AnyOperator {
  return operator(PersistentVolume, { name: 'process-volumes', failureEvents: false }).onEvent(
    async ({ type, object }) => {
      if (type === 'removed') await directories.removeVolume(object.metadata.name)
    },
  )
}
