import type { Timestamp } from '../age.ts'

/** The termination of a container. */
export interface Termination {
  readonly reason?: string
  readonly signal?: number
  readonly exitCode?: number
  readonly finishedAt?: Timestamp
}

/** The status of a container. */
export interface ContainerStatus {
  readonly name: string
  readonly ready?: boolean
  readonly started?: boolean
  readonly restartCount?: number
  readonly state?: {
    readonly waiting?: { readonly reason?: string }
    readonly running?: object
    readonly terminated?: Termination
  }
  readonly lastState?: { readonly terminated?: Termination }
}

/** The fields of a pod that its row needs. */
export interface Pod {
  readonly spec?: {
    readonly nodeName?: string
    readonly containers?: readonly { readonly name: string }[] | null
    readonly initContainers?: readonly { readonly name: string; readonly restartPolicy?: string }[]
    readonly readinessGates?: readonly { readonly conditionType: string }[]
  }
  readonly status?: {
    readonly phase?: string
    readonly reason?: string
    readonly nominatedNodeName?: string
    readonly podIPs?: readonly { readonly ip?: string }[]
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly reason?: string
    }[]
    readonly initContainerStatuses?: readonly ContainerStatus[]
    readonly containerStatuses?: readonly ContainerStatus[]
  }
}
