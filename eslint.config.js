// The linter's part is what the type checker cannot see: lost promises, forgotten cases, loose types.
// Formatting is Prettier's; layers, names and file sizes are test/tidy.test.ts's.
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**', '*.config.js', '**/*.mjs'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // A lost promise in a controller is a lost reconcile.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      eqeqeq: ['error', 'always'],
      'no-eval': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement > ArrayExpression, SpreadElement > ObjectExpression',
          message: 'Write the elements or fields of the literal directly.',
        },
      ],
      'prefer-const': 'error',
    },
  },
  {
    // vitest's matchers return promises only when asked to; the type-aware rules still hold.
    files: ['**/*.test.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
)
