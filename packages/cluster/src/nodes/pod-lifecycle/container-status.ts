import type { Frozen } from 'setpoint'
import type {
  Container,
  ContainerStateTerminated,
  ContainerStatus,
  VolumeMountStatus,
} from 'setpoint/kinds'
import type { PodView } from '../behaviour/index.ts'
import { imageReference } from './image-reference.ts'

type SpecOf = Frozen<Container>

export function waitingStatus(spec: SpecOf, reason: string): ContainerStatus {
  return {
    name: spec.name,
    image: spec.image ?? '',
    imageID: '',
    ready: false,
    restartCount: 0,
    started: false,
    state: { waiting: { reason } },
    lastState: {},
    ...mountsOf(spec),
  }
}

/** The values that differ from run to run. */
interface StartedRun {
  readonly containerID: string
  readonly startedAt: string
  readonly restartCount: number
  /** How the previous run ended. */
  readonly ended: ContainerStateTerminated | undefined
}

export function runningStatus(pod: PodView, spec: SpecOf, run: StartedRun): ContainerStatus {
  const { requests } = spec.resources ?? {}
  const { runAsUser = 0, runAsGroup = 0 } = {
    ...pod.spec.securityContext,
    ...spec.securityContext,
  }
  return {
    name: spec.name,
    ...imageReference(spec.image ?? ''),
    containerID: run.containerID,
    ready: false,
    restartCount: run.restartCount,
    started: false,
    state: { running: { startedAt: run.startedAt } },
    lastState: run.ended === undefined ? {} : { terminated: run.ended },
    ...(requests === undefined ? {} : { allocatedResources: { ...requests } }),
    resources: structuredClone(spec.resources ?? {}) as NonNullable<ContainerStatus['resources']>,
    user: { linux: { uid: runAsUser, gid: runAsGroup, supplementalGroups: [runAsGroup] } },
    ...mountsOf(spec),
  }
}

function mountsOf({ volumeMounts = [] }: SpecOf): { volumeMounts?: VolumeMountStatus[] } {
  if (volumeMounts.length === 0) return {}
  return {
    volumeMounts: volumeMounts.map(({ name, mountPath, readOnly, recursiveReadOnly }) => {
      if (readOnly !== true) return { name, mountPath }
      const isRecursive = recursiveReadOnly === 'Enabled' || recursiveReadOnly === 'IfPossible'
      return {
        name,
        mountPath,
        readOnly,
        recursiveReadOnly: isRecursive ? 'Enabled' : 'Disabled',
      }
    }),
  }
}
