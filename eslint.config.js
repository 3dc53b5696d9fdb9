import tseslint from 'typescript-eslint';
import jsdoc from 'eslint-plugin-jsdoc';

/** Clock, environment and timers are ports (style card, rule 20); only these places own them. */
const OWNERS_OF_THE_WORLD = [
  'workload/platform/**',
  'fleet/platform/**',
  'workload/commands/**',
  'workload/cli.ts',
  'scripts/**',
  'bench/**',
  '__tests__/**',
];

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'coverage/', '.cache/', 'runs/', 'cdktf.out/'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    plugins: { jsdoc },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'max-lines': ['error', { max: 250 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'jsdoc/require-jsdoc': [
        'error',
        {
          publicOnly: true,
          require: { FunctionDeclaration: true, ClassDeclaration: true },
          contexts: ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'],
        },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: OWNERS_OF_THE_WORLD,
    rules: {
      'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'setImmediate', 'fetch'],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Take a Clock from workload/platform.' },
        { object: 'process', property: 'env', message: 'Take the environment as a parameter.' },
        { object: 'Math', property: 'random', message: 'Take a Random from workload/platform.' },
        { object: 'performance', property: 'now', message: 'Take a Clock.' },
      ],
    },
  },
  {
    files: ['__tests__/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': 'off',
      'jsdoc/require-jsdoc': 'off',
    },
  },
);
