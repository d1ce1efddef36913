import { comparePathElements, type PathElement } from './path-element.ts'

/**
 * A set of field paths as a tree. `member` means that the path of this node is in the set; a member
 * need not have members as parents. Only the root can be empty.
 */
export interface FieldSet {
  readonly member: boolean
  readonly children: ReadonlyMap<PathElement, FieldSet>
}

const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map()

/** The empty set. */
export const emptyFieldSet: FieldSet = { member: false, children: noChildren }

/** The set of one path, as a child node of a tree. */
export const onlyMember: FieldSet = { member: true, children: noChildren }

/** Makes a node; the two nodes without children are shared. */
export function fieldSetNode(
  member: boolean,
  children: ReadonlyMap<PathElement, FieldSet>,
): FieldSet {
  if (children.size > 0) return { member, children }
  return member ? onlyMember : emptyFieldSet
}

/** True when no path is in the set. */
export function isEmptySet(set: FieldSet): boolean {
  return !set.member && set.children.size === 0
}

/** Whether exactly this path is in the set. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set
  for (const element of path) {
    node = node.children.get(element)
    if (node === undefined) return false
  }
  return path.length > 0 && node.member
}

/** The paths of either set. */
export function unionOf(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a
  if (isEmptySet(a)) return b
  const children = new Map(a.children)
  for (const [element, child] of b.children) {
    const own = children.get(element)
    children.set(element, own === undefined ? child : unionOf(own, child))
  }
  return fieldSetNode(a.member || b.member, children)
}

/**
 * The paths of all sets. It unites neighbours first, so that no set is copied once for each other
 * one.
 */
export function unionOfAll(sets: readonly FieldSet[]): FieldSet {
  let left = sets
  while (left.length > 1) {
    const united: FieldSet[] = []
    for (let at = 0; at < left.length; at += 2) {
      united.push(unionOf(left[at] ?? emptyFieldSet, left[at + 1] ?? emptyFieldSet))
    }
    left = united
  }
  return left[0] ?? emptyFieldSet
}

/** The paths of both sets. */
export function intersectionOf(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<PathElement, FieldSet>()
  for (const [element, child] of a.children) {
    const other = b.children.get(element)
    if (other === undefined) continue
    const shared = intersectionOf(child, other)
    if (!isEmptySet(shared)) children.set(element, shared)
  }
  return fieldSetNode(a.member && b.member, children)
}

/** The paths of `a` that are not in `b`; paths below those of `b` are kept. */
export function differenceOf(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a
  const children = new Map<PathElement, FieldSet>()
  for (const [element, child] of a.children) {
    const other = b.children.get(element)
    const rest = other === undefined ? child : differenceOf(child, other)
    if (!isEmptySet(rest)) children.set(element, rest)
  }
  return fieldSetNode(a.member && !b.member, children)
}

/** The paths of `a` that are neither in `b` nor below a path of `b`. */
export function withoutSubtrees(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a
  const children = new Map<PathElement, FieldSet>()
  for (const [element, child] of a.children) {
    const other = b.children.get(element)
    if (other?.member === true) continue
    const rest = other === undefined ? child : withoutSubtrees(child, other)
    if (!isEmptySet(rest)) children.set(element, rest)
  }
  return fieldSetNode(a.member && !b.member, children)
}

/** All paths in the server's order: at each level the members first, then their children. */
export function pathsOf(set: FieldSet): PathElement[][] {
  const paths: PathElement[][] = []
  const walk = (node: FieldSet, prefix: readonly PathElement[]) => {
    const sorted = [...node.children].sort(([a], [b]) => comparePathElements(a, b))
    for (const [element, child] of sorted) if (child.member) paths.push([...prefix, element])
    for (const [element, child] of sorted) walk(child, [...prefix, element])
  }
  walk(set, [])
  return paths
}

interface GrowingNode {
  member: boolean
  children: Map<PathElement, GrowingNode>
}

/** Collects paths while a value is traversed. */
export class FieldSetBuilder {
  readonly #root: GrowingNode = { member: false, children: new Map() }

  /** Adds the path `[...path, last]`, or `path` itself; the root cannot be a member. */
  insert(path: readonly PathElement[], last?: PathElement): void {
    let node = this.#root
    for (const element of path) node = descend(node, element)
    if (last !== undefined) node = descend(node, last)
    if (node !== this.#root) node.member = true
  }

  /** Returns the set; the builder must not be used afterwards. */
  build(): FieldSet {
    return this.#root
  }
}

function descend(node: GrowingNode, element: PathElement): GrowingNode {
  const known = node.children.get(element)
  if (known !== undefined) return known
  const child = { member: false, children: new Map<PathElement, GrowingNode>() }
  node.children.set(element, child)
  return child
}

/** The set of the given paths. */
export function fieldSetOf(paths: readonly (readonly PathElement[])[]): FieldSet {
  const builder = new FieldSetBuilder()
  for (const path of paths) builder.insert(path)
  return builder.build()
}
