vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Until = harness.Until
const Sent = harness.Sent
const SentSo = harness.SentSo

# What the user typed in a proposal, and no file holds.
def Recovered(child: dict<any>, path: string): dict<any>
  const row = {
    id: '1f3a9c02',
    agent: 'Gemini CLI',
    filePath: path,
    label: 'a.txt',
    at: 1767225600000,
    text: 'The companion ended before you decided.',
    actions: [{code: 'show', name: 'compares'}, {code: 'restore', name: 'restores'},
      {code: 'discard', name: 'discards'}],
  }
  child.lists.edits = [row]
  child.acts = {
    show: {message: row.text, compare: {label: 'a.txt', patch: " one\n-two\n+2 of mine\n"}},
    restore: {put: {filePath: path, content: "one\n2 of mine\n", what: 'your text', onlySaved: false}},
    discard: (params) => has_key(params, 'sure') ? {message: 'Discarded: a.txt.', removed: true}
      : {ask: {question: 'Discard your text for a.txt for good?', yes: 'Discard'}},
  }
  return row
enddef

def Acted(child: dict<any>, action: string): list<any>
  return Sent(child, 'companion/act')->filter((_, params) => params.action == action)
enddef

def Said(child: dict<any>, text: string)
  Until(child, printf('stridx(execute("messages"), "%s") >= 0', text))
enddef

Test('what is typed in a proposal is sent shortly after, and once', (child) => {
  harness.Propose(child)
  harness.Do(child, 'IdeCompanion diff')
  Same(Sent(child, 'companion/draft'), [])
  Keys(child, 'Gofour\<Esc>')
  Same(SentSo(child, 'companion/draft', 1), [{id: '1', content: "one\n2\nthree\nfour\n"}])
  Keys(child, '\<C-W>hgg]cdp') # from the other side, which reverts a change
  SentSo(child, 'companion/draft', 2)
  Same(len(Sent(child, 'companion/draft')), 2)
})

Test('what was typed last is sent before Vim ends', (child) => {
  harness.Propose(child)
  harness.Do(child, 'IdeCompanion diff')
  Keys(child, 'Gofour\<Esc>')
  ch_sendraw(child.questions, json_encode(['normal', ":qa!\r"]) .. "\n")
  harness.HasEnded(child)
  SentSo(child, 'companion/draft', 1)
})

Test('news are shown with the command that leads to their list, and what comes to be copied is copied', (child) => {
  harness.Start(child)
  const Tell = (params: dict<any>) => harness.SendToPlugin(child, {method: 'companion/news', params: params})
  Tell({severity: 'warning', text: 'Your text is not in a.txt: It ended.', list: 'edits'})
  Said(child, 'Your text is not in a.txt: It ended.   :IdeCompanion edits')
  Tell({severity: 'info', text: 'Your comments are {place}: paste them into Toy', copy: "@main.ts:2\nwhy?"})
  Said(child, 'Your comments are ')
  Said(child, ': paste them into Toy')
  Same(harness.Eval(child, 'getreg("\"")'), "@main.ts:2\nwhy?")
})

Test('recovered edits are compared with the file, and restored as a change that is not saved', (child) => {
  const path = harness.File(child, 'a.txt', "one\ntwo\n")
  Recovered(child, path)
  harness.Start(child)
  Keys(child, ':IdeCompanion edits\<CR>')
  Until(child, 'tabpagenr("$") == 2')
  Same(harness.Eval(child, '[bufname(), getline(1, "$")]'), ['Diff: a.txt', [' one', '-two', '+2 of mine']])
  harness.Eventually(child, 'bar', () => harness.Screen(child) =~ '  r restores    d discards    q closes')
  Keys(child, 'r')
  const state = '[len(getwininfo()), bufname(), &modified, join(getline(1, "$"), "|"), &diff]'
  Until(child, '&modified')
  Same(harness.Eval(child, state), [1, path, 1, 'one|2 of mine', 0])
  Keys(child, 'u')
  Same(harness.Eval(child, state), [1, path, 0, 'one|two', 0])
  Same(Acted(child, 'discard'), [])
})

Test('the keys of one of two open comparisons are about its own file', (child) => {
  const paths = mapnew(['a.txt', 'b.txt'], (_, name) => harness.File(child, name, "one\n"))
  harness.Start(child)
  for path in paths
    child.lists.edits = [extendnew(Recovered(child, path), {id: path})]
    Keys(child, ':IdeCompanion edits\<CR>')
    Until(child, 'exists("b:ide_companion_keys")')
    Keys(child, ':tabfirst\<CR>')
  endfor
  Keys(child, ':tabnext 3\<CR>r')
  Until(child, '&modified')
  Same(harness.Eval(child, 'tabpagenr("$")'), 2)
  Same(Acted(child, 'restore'), [{list: 'edits', id: paths[0], action: 'restore'}])
})

Test('recovered edits are discarded only when the user says so twice', (child) => {
  Recovered(child, harness.File(child, 'a.txt', "one\n"))
  harness.Start(child)
  Keys(child, ':IdeCompanion edits\<CR>')
  Until(child, 'tabpagenr("$") == 2')
  term_sendkeys(child.terminal, 'd')
  harness.Eventually(child, 'question', () => harness.Screen(child) =~ 'Discard your text for a.txt for good?')
  term_sendkeys(child.terminal, 'c')
  harness.Eventually(child, 'answer', () => harness.Screen(child) !~ 'for good?')
  Same(len(Acted(child, 'discard')), 1)
  term_sendkeys(child.terminal, 'd')
  harness.Eventually(child, 'question', () => harness.Screen(child) =~ 'Discard your text for a.txt for good?')
  term_sendkeys(child.terminal, 'd')
  Until(child, 'len(getwininfo()) == 1')
  Same(Acted(child, 'discard')[2], {list: 'edits', id: '1f3a9c02', action: 'discard', sure: true})
})

Test('of several recovered edits the user chooses', (child) => {
  const row = Recovered(child, harness.File(child, 'a.txt', "one\n"))
  add(child.lists.edits, extend({id: '2', label: 'b.txt'}, row, 'keep'))
  harness.Start(child)
  Keys(child, ':IdeCompanion edits\<CR>')
  harness.Eventually(child, 'list', () => harness.Screen(child) =~ 'b.txt  Gemini CLI, .*: The companion ended')
  term_sendkeys(child.terminal, "j\r")
  Same(SentSo(child, 'companion/act', 1), [{list: 'edits', id: '2', action: 'show'}])
})

Test('an empty list is said to be so', (child) => {
  harness.Start(child)
  Keys(child, ':IdeCompanion edits\<CR>')
  Said(child, 'There is nothing.')
})

Test('a proposal that Vim could not show is opened on the page', (child) => {
  harness.Start(child)
  child.results['companion/openPage'] = {message: 'The link to the page is {place}.', copy: 'http://127.0.0.1:40123/x'}
  harness.SendToPlugin(child, {method: 'window/showMessage', params: {
    type: 1, message: 'Gemini CLI proposes a change of /app/a.txt. Review it at http://127.0.0.1:40123/y'}})
  harness.TellStatus(child, {diffs: [{id: '7', agent: 'Gemini CLI', filePath: '/app/a.txt', openedAt: 1}]})
  Said(child, 'Gemini CLI proposes ')
  Keys(child, ':IdeCompanion diff\<CR>')
  Said(child, 'The link to the page is ')
  Same(harness.Eval(child, 'getreg("\"")'), 'http://127.0.0.1:40123/x')
})
