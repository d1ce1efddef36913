import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import type { PodView } from '../behaviour/index.ts'
import type { NodeOptions } from '../node-options.ts'

/**
 * A program of this machine that is run for an image. `$(NAME)` is replaced in its texts, also
 * `$(POD_IP)`.
 */
export interface ProcessImage {
  /** The program, optionally with its first arguments; the `command` of a container replaces it. */
  readonly command: string | readonly string[]
  /** The default arguments; the `args` of a container replace them. */
  readonly args?: readonly string[]
  /**
   * Arguments that are always appended: `['-l', '$(POD_IP)']` binds a server to the address of its
   * pod.
   */
  readonly lastArgs?: readonly string[]
  /** Environment variables of the image; those of the container override them. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Which program is run for which image: by name, where a `*` at the end matches anything, or as a
 * function. An image without a program cannot be pulled.
 */
export type ProcessImages =
  | Readonly<Record<string, ProcessImage>>
  | ((container: Frozen<Container>, pod: PodView) => ProcessImage | undefined)

/** Nodes that run real processes. */
export interface ProcessNodes extends NodeOptions {
  /** One node by default; all nodes are this machine. */
  readonly process: { readonly images: ProcessImages }
}

/** Whether the option asks for process nodes. */
export function isProcessNodes(nodes: unknown): nodes is ProcessNodes {
  return typeof nodes === 'object' && nodes !== null && 'process' in nodes
}

/** The program for a container: an exact name first, then the longest prefix. */
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
