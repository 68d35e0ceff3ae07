vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Propose = harness.Propose
const Sent = harness.Sent
const SentSo = harness.SentSo

const Here = (child: dict<any>): string => harness.Eval(child, 'bufname()')

def ProposeThree(child: dict<any>)
  for number in [1, 2, 3]
    Propose(child, {id: string(number), label: printf('dir/%d.ts', number), filePath: printf('/app/dir/%d.ts', number)})
  endfor
enddef

def Asks(child: dict<any>, lines: list<string>)
  const IsThere = () => stridx(substitute(harness.Screen(child), ' *\n', '\n', 'g'), join(lines, "\n")) >= 0
  harness.Eventually(child, lines[0], IsThere)
enddef

Test('keys go to the next proposal and to the one before', (child) => {
  ProposeThree(child)
  Keys(child, ':IdeCompanion next\<CR>')
  var seen = [Here(child)]
  for key in ['\\n', '\\n', '\\n', '\\p', '\\p']
    Keys(child, key)
    add(seen, Here(child))
  endfor
  const [one, two, three] = ['Gemini CLI: 1.ts', 'Gemini CLI: 2.ts', 'Gemini CLI: 3.ts']
  Same(seen, [one, two, three, one, three, two])
})

Test('the quickfix list has all proposals, and Enter goes to one in its own tab', (child) => {
  ProposeThree(child)
  Keys(child, ':IdeCompanion next\<CR>:IdeCompanion next\<CR>Gofour\<Esc>:tabfirst\<CR>')
  Keys(child, ':IdeCompanion list\<CR>')
  Same(harness.Eval(child, '[&buftype, winheight(0)]'), ['quickfix', 3])
  Same(harness.Eval(child, 'map(getqflist(), {_, item -> [bufname(item.bufnr), item.lnum, item.text]})'), [
    ['Gemini CLI: 1.ts', 2, '+1 -1  Gemini CLI'],
    ['Gemini CLI: 2.ts', 2, '+2 -1  Gemini CLI, edited by you'],
    ['Gemini CLI: 3.ts', 2, '+1 -1  Gemini CLI'],
  ])
  Keys(child, 'G\<CR>')
  Same([Here(child), harness.Eval(child, 'line(".")')], ['Gemini CLI: 3.ts', 2])
  Keys(child, ':w\<CR>')
  Same(SentSo(child, 'companion/diffAccepted', 1)[0].id, '3')
  harness.Until(child, 'tabpagenr("$") == 3')
  Keys(child, ':copen\<CR>G\<CR>')
  Same(Here(child), 'Gemini CLI: 2.ts')
})

Test('a new file has no line that goes', (child) => {
  Propose(child, {original: null, newContent: "one\ntwo\n"})
  Keys(child, ':IdeCompanion list\<CR>')
  Same(harness.Eval(child, 'getqflist()[0].text'), '+2 -0  Gemini CLI')
})

# One turn, of which two proposals wait.
def TellTurn(child: dict<any>, more = {})
  harness.SendToPlugin(child, {method: 'companion/status', params: {port: 1, env: {}, sessions: [], diffs: [],
    turns: [extend({id: '7', agent: 'Gemini CLI', waiting: ['2', '3'], decided: 1}, more)]}})
  harness.Until(child, 'ide_companion#Status().port == 1')
enddef

const texts = 'map(getqflist(), {_, item -> item.module .. ": " .. item.text})'

Test('the list says which change of its turn a proposal is, and how many comments it has', (child) => {
  ProposeThree(child)
  TellTurn(child, {ahead: {stopAt: [], accepted: 1}})
  Keys(child, ':IdeCompanion previous\<CR>\\p\\p')
  Keys(child, '\\cwhy?\<CR>:IdeCompanion list\<CR>')
  Same(harness.Eval(child, texts), [
    'dir/1.ts: +1 -1  Gemini CLI',
    'dir/2.ts: +1 -1  Gemini CLI, 2 of 3, ahead, 1 comment',
    'dir/3.ts: +1 -1  Gemini CLI, 3 of 3, ahead',
  ])
  Same(harness.Eval(child, 'ide_companion#Statusline()'), ' ahead')
})

Test('the rest of one agent is accepted after a question, and nothing of another one', (child) => {
  ProposeThree(child)
  Propose(child, {id: '4', agent: 'Qwen Code', label: '4.ts', filePath: '/app/4.ts'})
  Keys(child, ':IdeCompanion next\<CR>')
  term_sendkeys(child.terminal, ":IdeCompanion accept_rest\r")
  Asks(child, ['Accept 3 proposals of Gemini CLI?', '  dir/1.ts', '  dir/2.ts', '  dir/3.ts'])
  term_sendkeys(child.terminal, 'a')
  Same(SentSo(child, 'companion/diffAccepted', 3)->mapnew((_, one) => one.id), ['1', '2', '3'])
})

Test('the rest of a turn is accepted ahead after a question, except for some files, until the user decides again', (child) => {
  ProposeThree(child)
  TellTurn(child)
  child.results['companion/acceptRest'] = null
  child.results['companion/stopAccepting'] = null
  Keys(child, ':IdeCompanion next\<CR>\\n')
  term_sendkeys(child.terminal, ":IdeCompanion accept_ahead *.lock db/\r")
  Asks(child, ['Accept what Gemini CLI proposes until its turn ends, except for *.lock db/? Now:', '  dir/2.ts', '  dir/3.ts'])
  Same(Sent(child, 'companion/acceptRest'), [])
  term_sendkeys(child.terminal, 'a')
  Same(SentSo(child, 'companion/acceptRest', 1), [{turn: '7', stopAt: ['*.lock', 'db/']}])
  TellTurn(child, {ahead: {stopAt: [], accepted: 0}})
  harness.Do(child, 'IdeCompanion stop_ahead')
  Same(SentSo(child, 'companion/stopAccepting', 1), [{turn: '7'}])
})

Test('Enter in a list of another command works as before', (child) => {
  Propose(child)
  Keys(child, ':IdeCompanion list\<CR>')
  const path = harness.File(child, 'found.txt', "one\ntwo\n")
  Keys(child, printf(':call setqflist([#{filename: ''%s'', lnum: 2}])\<CR>:1\<CR>\<CR>', path))
  Same([Here(child), harness.Eval(child, 'line(".")')], [path, 2])
})

Test('the location list has the changes of a proposal, and closes with it', (child) => {
  for layout in ['vertical', 'unified']
    harness.Do(child, 'let g:ide_companion.diff = #{layout: ' .. string(layout) .. '}')
    const before = harness.Eval(child, 'win_getid()')
    Propose(child, {id: layout, original: "one\ntwo\nthree\nfour\n", newContent: "1\ntwo\nfour\nfive\n"})
    Keys(child, ':IdeCompanion hunks\<CR>')
    Same(harness.Eval(child, '[&winfixheight, &diff, &scrollbind]'), [1, 0, 0])
    Same(harness.Eval(child, 'map(getloclist(0), {_, item -> [item.lnum, item.text]})'),
      [[1, '+1 -1  1'], [3, '+0 -1  '], [4, '+1 -0  five']])
    Keys(child, 'G\<CR>')
    Same([Here(child), harness.Eval(child, 'line(".")')], ['Gemini CLI: main.ts', 4])
    Keys(child, layout == 'vertical' ? ':q\<CR>' : '\<C-W>j:IdeCompanion reject\<CR>')
    SentSo(child, 'companion/diffRejected', layout == 'vertical' ? 1 : 2)
    harness.UntilGone(child)
    Same(harness.Eval(child, '[win_getid(), winnr("$")]'), [before, 1])
  endfor
})

Test('all proposals are decided after one question, which names those that are edited; comments go along', (child) => {
  for [command, method] in [['accept_all', 'companion/diffAccepted'], ['reject_all', 'companion/diffRejected']]
    ProposeThree(child)
    Keys(child, ':IdeCompanion next\<CR>2G\\cwhy two?\<CR>\\nGofour\<Esc>')
    const verb = command == 'accept_all' ? 'Accept' : 'Reject'
    const question = [verb .. ' 3 proposals?', '  dir/1.ts', '  dir/2.ts, edited by you', '  dir/3.ts']
    term_sendkeys(child.terminal, printf(":IdeCompanion %s\r", command))
    Asks(child, question)
    term_sendkeys(child.terminal, "c")
    harness.Until(child, 'mode(1) == "n"')
    Same(Sent(child, method), [])
    term_sendkeys(child.terminal, printf(":IdeCompanion %s\r", command))
    Asks(child, question)
    term_sendkeys(child.terminal, verb[0])
    const sent = SentSo(child, method, 3)
    Same(mapnew(sent, (_, each) => [each.id, has_key(each, 'comments')]), [['1', 1], ['2', 0], ['3', 0]])
    harness.UntilGone(child)
  endfor
})

Test('without a proposal each command says so', (child) => {
  harness.Start(child)
  for command in ['list', 'hunks', 'accept_all', 'previous']
    Keys(child, printf(':messages clear | IdeCompanion %s\<CR>', command))
    harness.Until(child, 'execute("messages") =~ "No proposal waits for you."')
  endfor
})

Test('the quickfix list follows decisions and proposals that come, and :cc finds all that it has', (child) => {
  ProposeThree(child)
  Keys(child, ':IdeCompanion list\<CR>:cclose\<CR>:IdeCompanion next\<CR>:w\<CR>')
  harness.Until(child, 'len(getqflist()) == 2')
  Propose(child, {id: '4', label: 'dir/4.ts'})
  const name = 'bufname(item.bufnr)'
  Same(harness.Eval(child, printf('map(getqflist(), {_, item -> %s})', name)),
    ['Gemini CLI: 2.ts', 'Gemini CLI: 3.ts', 'Gemini CLI: 4.ts'])
  harness.Do(child, 'cc 1')
  Same(Here(child), 'Gemini CLI: 2.ts')
})

Test('what is accepted ahead is not announced as if it waited', (child) => {
  harness.Start(child)
  TellTurn(child, {ahead: {stopAt: [], accepted: 0}})
  Propose(child, {id: '4'})
  harness.Ask(child, 'companion/closeDiff', {id: '4', reason: 'agent'})
  harness.Do(child, 'let g:later = timer_start(600, {-> execute("legacy let g:passed = 1")})')
  harness.Until(child, 'exists("g:passed")')
  Same(harness.Eval(child, 'execute("messages") =~ "proposes"'), 0)
})
