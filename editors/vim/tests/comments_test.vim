vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Propose = harness.Propose
const Sent = harness.Sent
const SentSo = harness.SentSo
const Show = harness.Show

def Comment(first: number, last: number, text: string, more: dict<any> = {}): dict<any>
  return extendnew({id: '1', side: 'proposed', startLine: first, endLine: last, text: text}, more)
enddef

def Shows(child: dict<any>, text: string)
  harness.Eventually(child, text, () => stridx(harness.Screen(child), text) >= 0)
enddef

# Comments that no agent has received.

Test('comments on a line and on selected lines reach the companion, and the agent with a rejection', (child) => {
  Propose(child)
  Show(child)
  Keys(child, '2G\\cwhy two?\<CR>')
  Same(SentSo(child, 'companion/comment', 1), [Comment(2, 2, 'why two?')])
  Shows(child, '▎ why two?')
  Shows(child, '1 comment ')
  Keys(child, 'ggVj\\ctoo long\<CR>')
  Same(SentSo(child, 'companion/comment', 2)[1], Comment(1, 2, 'too long'))
  Shows(child, '2 comments')
  Keys(child, ':IdeCompanion say_why\<CR>')
  Same(SentSo(child, 'companion/diffRejected', 1), [{id: '1', withComments: true}])
  harness.UntilGone(child)
})

Test('a comment is where the companion says, is changed on it, and deleted by an empty text; Escape changes nothing', (child) => {
  Propose(child)
  Show(child)
  Keys(child, '2G\\cwhy?\<CR>')
  Shows(child, '▎ why?')
  child.comments['1'] = [Comment(3, 3, 'why?')]
  Keys(child, 'ggOnew\<Esc>')
  SentSo(child, 'companion/draft', 1)
  Keys(child, '3G\\c')
  Shows(child, 'Comment on line 3: why?')
  Keys(child, '\<C-U>what for?\<CR>')
  Same(SentSo(child, 'companion/comment', 2)[1], Comment(3, 3, 'what for?', {comment: '1'}))
  Keys(child, '\\cnever\<Esc>')
  Keys(child, '\\c\<C-U>\<CR>')
  Same(SentSo(child, 'companion/comment', 3)[2], Comment(3, 3, '', {comment: '1'}))
  harness.Eventually(child, 'no comment', () => harness.Screen(child) !~ 'what for?\|comment')
})

Test('what is written about a proposal in another view is shown, changed and deleted here too', (child) => {
  const Update = (comments: list<dict<any>>) => harness.SendToPlugin(child,
    {method: 'companion/comments', params: {id: '1', comments: harness.WithAcross(child, '1', comments)}})
  Propose(child)
  Show(child)
  Update([Comment(2, 2, 'why not?'), Comment(1, 1, 'from the page', {id: 'p'}), Comment(0, 0, 'too much', {id: 'all'})])
  Shows(child, '▎ too much')
  Shows(child, '▎ why not?')
  Shows(child, '▎ from the page')
  Keys(child, '1G\\c!\<CR>')
  Same(SentSo(child, 'companion/comment', 1), [Comment(1, 1, 'from the page!', {comment: 'p'})])
  Update([])
  harness.Eventually(child, 'no comment', () => harness.Screen(child) !~ 'why not\|comment')
})

Test('an acceptance carries comments on the side on disk as well; a plain one carries none', (child) => {
  Propose(child)
  Propose(child, {id: '2', label: 'other.ts'})
  Show(child)
  Keys(child, '\<C-W>h2G\\ckeep this\<CR>')
  Same(SentSo(child, 'companion/comment', 1), [Comment(2, 2, 'keep this', {side: 'original'})])
  Shows(child, '▎ keep this')
  Keys(child, '\\A')
  SentSo(child, 'companion/diffAccepted', 1)
  harness.Until(child, 'bufname() == ""')
  harness.Do(child, 'IdeCompanion accept')
  Same(SentSo(child, 'companion/diffAccepted', 2), [
    {id: '1', content: "one\n2\nthree\n", withComments: true},
    {id: '2', content: "one\n2\nthree\n"},
  ])
})

Test('in the unified layout a comment is below its line; :e! keeps it', (child) => {
  harness.Do(child, 'let g:ide_companion.diff = #{layout: "unified"}')
  Propose(child)
  Show(child)
  Keys(child, '2G\\cwhy two?\<CR>')
  const Rows = () => range(3, 7)->mapnew((_, row) => substitute(term_getline(child.terminal, row), ' *$', '', ''))
  const IsBelow = () => Rows() == ['one', 'two', '2', '▎ why two?', 'three']
  harness.Eventually(child, 'comment', IsBelow)
  Keys(child, ':e!\<CR>:redraw!\<CR>')
  harness.Eventually(child, 'comment', IsBelow)
  Keys(child, '\\R')
  Same(SentSo(child, 'companion/diffRejected', 1), [{id: '1', withComments: true}])
})

Test('a read-only proposal takes comments', (child) => {
  Propose(child, {agent: 'Toy', readOnlyReason: 'Toy takes no edits.'})
  Show(child)
  Keys(child, '2G\\cwhy two?\<CR>')
  Shows(child, '▎ why two?')
  Keys(child, '\\R')
  Same(SentSo(child, 'companion/diffRejected', 1), [{id: '1', withComments: true}])
})

Test('a decision that is to carry comments says how to write one', (child) => {
  Propose(child)
  Show(child)
  Keys(child, '\\R')
  Shows(child, 'Comment on a line first: :IdeCompanion comment')
  Same(Sent(child, 'companion/diffRejected'), [])
})

Test('a comment outside of the proposal says where to go', (child) => {
  Propose(child)
  Keys(child, ':IdeCompanion comment\<CR>')
  Shows(child, 'Go to a line of the proposal first: :IdeCompanion diff')
})

Test('a comment whose proposal closes while it is written is not lost', (child) => {
  Propose(child)
  Show(child)
  Keys(child, '2G\\cwhy')
  harness.Ask(child, 'companion/closeDiff', {id: '1', words: 'Gemini CLI has taken this back'})
  Keys(child, ' two?\<CR>')
  Shows(child, 'The proposal has closed. Your comment is ')
  Same(harness.Eval(child, 'getreg("\"")'), 'why two?')
})

Test('of comments that wait the user chooses, and then what becomes of them', (child) => {
  const Row = (id: string, label: string): dict<any> => ({id: id, label: label, agent: 'Toy', filePath: '/app/' .. label,
    at: 1767225600000, text: 'It left.', actions: [{code: 'send', name: 'puts them into the prompt'},
      {code: 'copy', name: 'copies them'}, {code: 'discard', name: 'discards them'}]})
  child.lists.comments = [Row('a', 'main.ts'), Row('b', 'other.ts')]
  child.acts = {discard: {message: 'Discarded: your comments on other.ts.', removed: true}}
  harness.Start(child)
  Keys(child, ':IdeCompanion comments\<CR>')
  harness.Eventually(child, 'list', () => harness.Screen(child) =~ 'other.ts  Toy, .*: It left.')
  term_sendkeys(child.terminal, "j\r")
  Shows(child, 'discards them')
  term_sendkeys(child.terminal, "jj\r")
  Same(SentSo(child, 'companion/act', 1), [{list: 'comments', id: 'b', action: 'discard'}])
  Shows(child, 'Discarded: your comments on other.ts.')
})

Test('a comment that is longer than its window goes on in the next row', (child) => {
  harness.Do(child, 'let g:ide_companion.diff = {"layout": "unified"}')
  Propose(child, {original: "one\n2\n", newContent: "one\n2\nthree\n"})
  Show(child)
  Keys(child, 'ggj\\c' .. repeat('why ', 30) .. 'three?\<CR>')
  Shows(child, 'why three?')
})

Test('a comment between two sides loses nothing, and keeps lines that belong together in one row', (child) => {
  Propose(child, {original: "one\ntwo\nthree\n", newContent: "one\nnew\n2\nthree\n"})
  Show(child)
  Keys(child, '2G\\c' .. repeat('word ', 20) .. 'end\<CR>\<C-W>h2G\\cof what was\<CR>')
  # What is next to each other below the line of keys.
  const Rows = () => range(3, 10)->mapnew((_, row) => term_getline(child.terminal, row)->substitute('[ -]\+', ' ', 'g')->trim())
  harness.Eventually(child, 'comments', () => Rows() == ['one | one', '▎ two | ▎ new',
    '| ▎ word word word word word word word word', '| word word word word word word word word word',
    '| word word word end', '▎ of what was |', '| 2', 'three | three'])
  term_setsize(child.terminal, 30, 80)
  harness.Until(child, '&columns == 80')
  Keys(child, '\<C-W>=')
  harness.Eventually(child, 'narrower ones', () => Rows()[2 : 5] == ['| ▎ word word word word word word',
    '| word word word word word word word', '| word word word word word word word', '| end'])
})
