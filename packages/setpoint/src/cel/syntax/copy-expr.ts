/** Copies a tree with new ids, for macros that use an argument twice. */
import type { Expr, NodeIds } from './ast.ts'

/** The copy; its nodes begin where the originals begin. */
export function copyExpr(ids: NodeIds, expr: Expr): Expr {
  const copy = (part: Expr): Expr => copyExpr(ids, part)
  const newId = (old: number): number => ids.next(ids.offsetOf(old))
  const id = newId(expr.id)
  switch (expr.kind) {
    case 'literal':
    case 'ident':
    case 'broken':
      return { ...expr, id }
    case 'select':
      return { ...expr, id, operand: copy(expr.operand) }
    case 'call': {
      const args = expr.args.map(copy)
      return expr.target === undefined
        ? { ...expr, id, args }
        : { ...expr, id, args, target: copy(expr.target) }
    }
    case 'list':
      return { ...expr, id, elements: expr.elements.map(copy) }
    case 'map':
      return {
        ...expr,
        id,
        entries: expr.entries.map((entry) => ({
          ...entry,
          id: newId(entry.id),
          key: copy(entry.key),
          value: copy(entry.value),
        })),
      }
    case 'struct':
      return {
        ...expr,
        id,
        fields: expr.fields.map((field) => ({
          ...field,
          id: newId(field.id),
          value: copy(field.value),
        })),
      }
    case 'comprehension':
      return {
        ...expr,
        id,
        range: copy(expr.range),
        init: copy(expr.init),
        condition: copy(expr.condition),
        step: copy(expr.step),
        result: copy(expr.result),
      }
  }
}
