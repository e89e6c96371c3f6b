/** One simple command of a shell string: its words with quotes removed; null where an expansion decides. */
export interface SimpleCommand {
  words: string[];
  /** The operator that ends it: `|`, `&&`, `||`, `;`, `&`, newline, `(`, `)` or ''. */
  operator: string;
}

const OPERATORS = ['&&', '||', ';;', '|&', '|', ';', '&', '\n', '(', ')'];
const REDIRECTION = /^\d*(?:>>|>\||>&|&>>|&>|<&|<>|>|<)/;

/**
 * Splits a shell string into simple commands. Understands quotes, escapes, comments and redirections; anything else
 * that changes what words mean (here-documents, substitutions in command position, unclosed quotes) gives null.
 * Linear in the string.
 */
export function simpleCommands(text: string): SimpleCommand[] | null {
  const out: SimpleCommand[] = [];
  let words: string[] = [];
  let word: string | null = null;
  let skipNext = false; // the word after a redirection is a file name
  const endWord = (): void => {
    if (word === null) return;
    if (skipNext) skipNext = false;
    else words.push(word);
    word = null;
  };
  let i = 0;
  while (i < text.length) {
    const c = text[i]!;
    if (c === ' ' || c === '\t') {
      endWord();
      i++;
      continue;
    }
    if (c === '#' && word === null) {
      const line = text.indexOf('\n', i);
      i = line < 0 ? text.length : line;
      continue;
    }
    if (text.startsWith('<<', i)) return null;
    const redirection = word === null || /^\d$/.test(word) ? REDIRECTION.exec(text.slice(i, i + 8)) : null;
    if (redirection ?? (c === '>' || c === '<' ? REDIRECTION.exec(text.slice(i, i + 4)) : null)) {
      const found = redirection ?? REDIRECTION.exec(text.slice(i, i + 4))!;
      if (word !== null && /^\d$/.test(word)) word = null;
      endWord();
      skipNext = true;
      i += found[0].length;
      continue;
    }
    const operator = OPERATORS.find((op) => text.startsWith(op, i));
    if (operator) {
      endWord();
      out.push({ words, operator });
      words = [];
      i += operator.length;
      continue;
    }
    const piece = readPiece(text, i);
    if (piece === null) return null;
    word = (word ?? '') + piece.value;
    i = piece.next;
  }
  endWord();
  out.push({ words, operator: '' });
  return out.filter(
    (command) => command.words.length > 0 || command.operator === '(' || command.operator === ')',
  );
}

/** One quoted, escaped, substituted or plain piece of a word. */
function readPiece(text: string, at: number): { value: string; next: number } | null {
  const c = text[at]!;
  if (c === "'") {
    const close = text.indexOf("'", at + 1);
    return close < 0 ? null : { value: text.slice(at + 1, close), next: close + 1 };
  }
  if (c === '"') return readDouble(text, at + 1);
  if (c === '\\') {
    if (at + 1 >= text.length) return null;
    return { value: text[at + 1] === '\n' ? '' : text[at + 1]!, next: at + 2 };
  }
  if (c === '$' && (text[at + 1] === '(' || text[at + 1] === "'")) return null;
  if (c === '`') return null;
  return { value: c, next: at + 1 };
}

function readDouble(text: string, from: number): { value: string; next: number } | null {
  let value = '';
  for (let i = from; i < text.length; i++) {
    const c = text[i]!;
    if (c === '"') return { value, next: i + 1 };
    if (c === '`' || (c === '$' && text[i + 1] === '(')) return null;
    if (c === '\\' && '"\\$`\n'.includes(text[i + 1] ?? ' ')) {
      i++;
      if (text[i] !== '\n') value += text[i];
    } else value += c;
  }
  return null;
}
