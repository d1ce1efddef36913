import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import type { PodView } from '../behaviour/index.ts'
import type { NodeOptions } from '../node-options.ts'

/** A program of this machine that is run in place of an image. `$(NAME)` is replaced in its texts, also `$(POD_IP)`. */
export interface ProcessImage {
  /** What the image begins with, alone or with first arguments; the `command` of a container replaces it. */
  readonly command: string | readonly string[]
  /** What the image adds by default; the `args` of a container replace it. */
  readonly args?: readonly string[]
  /** What comes at the end whatever the container says: `['-l', '$(POD_IP)']` binds a server to the address of its pod. */
  readonly lastArgs?: readonly string[]
  /** Variables of the image; those of the container win. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * What is run for which image: by name, where a `*` at the end stands for anything, or as a function. What has no
 * program cannot be pulled.
 */
export type ProcessImages =
  | Readonly<Record<string, ProcessImage>>
  | ((container: Frozen<Container>, pod: PodView) => ProcessImage | undefined)

/** Nodes that run real processes. */
export interface ProcessNodes extends NodeOptions {
  /** One node unless `count` says otherwise: it is this machine in any case. */
  readonly process: { readonly images: ProcessImages }
}

/** Whether nodes are asked for that run processes. */
export function isProcessNodes(nodes: unknown): nodes is ProcessNodes {
  return typeof nodes === 'object' && nodes !== null && 'process' in nodes
}

/** The program for a container: the name itself wins, then the longest beginning. */
export function imageFor(
  images: ProcessImages,
  container: Frozen<Container>,
  pod: PodView,
): ProcessImage | undefined {
  if (typeof images === 'function') return images(container, pod)
  const { image = '' } = container
  if (Object.hasOwn(images, image)) return images[image]
  const beginnings = Object.keys(images)
    .filter((name) => name.endsWith('*') && image.startsWith(name.slice(0, -1)))
    .sort((a, b) => b.length - a.length)
  return images[beginnings[0] ?? '']
}
