vim9script

import './harness.vim'

const Test = harness.Test
const Same = harness.Same
const Keys = harness.Keys
const Propose = harness.Propose
const Show = harness.Show

def Shows(child: dict<any>, pattern: string)
  harness.Eventually(child, pattern, () => harness.Screen(child) =~ pattern)
enddef

Test("white space that changes alone is seen, also by a user whose 'diffopt' ignores it elsewhere", (child) => {
  harness.Do(child, 'set diffopt=internal,filler,iwhiteall,iblank')
  Propose(child, {original: "a:\n\tb\n", newContent: "a:\n  b\n"})
  harness.Until(child, 'tabpagenr("$") == 2')
  Same(split(harness.Eval(child, '&diffopt'), ',')->sort(), ['filler', 'iblank', 'internal', 'iwhiteall'])
  Show(child)
  Same(harness.Eval(child, '[diff_hlID(2, 1) > 0, line("."), &diffopt]'), [1, 2, 'internal,filler'])
  Keys(child, 'gt')
  Same(split(harness.Eval(child, '&diffopt'), ',')->sort(), ['filler', 'iblank', 'internal', 'iwhiteall'])
})

Test('what a diff shows badly is said first, until the text is another one', (child) => {
  Propose(child, {facts: ['only line ends']})
  Show(child)
  Shows(child, '|  only line ends    :w accepts    :q rejects')
  Keys(child, 'x')
  Shows(child, '|  :w accepts    :q rejects')
})

Test('what acceptance costs is said first, before what a diff shows badly', (child) => {
  Propose(child, {facts: ['replaces 3 non-UTF-8 lines', 'only white space']})
  Show(child)
  Shows(child, '|  replaces 3 non-UTF-8 lines    :w yes')
})

Test('the line above a proposal does not stay over another file, and is back with the proposal', (child) => {
  Propose(child)
  Show(child)
  Shows(child, ':w accepts')
  harness.Do(child, 'edit ' .. harness.File(child, 'other.txt', "x\n"))
  harness.Eventually(child, 'no bar', () => harness.Screen(child) !~ ':w accepts')
  Keys(child, '\<C-^>')
  Shows(child, ':w accepts')
})

for layout in ['vertical', 'unified']
  Test('a session that was saved while a proposal waited restores nothing of it: ' .. layout, (child) => {
    harness.Do(child, printf('let g:ide_companion.diff = {"layout": "%s"}', layout))
    harness.Do(child, 'edit mine.txt')
    Propose(child)
    harness.Until(child, 'tabpagenr("$") == 2')
    harness.Do(child, 'mksession! ' .. child.folder .. '/session.vim')
    const other = harness.Child()
    try
      harness.Do(other, 'source ' .. child.folder .. '/session.vim')
      harness.Until(other, 'map(getbufinfo(), {_, b -> fnamemodify(b.name, ":t")}) == ["mine.txt"]')
      Same(harness.Layout(other), [1, 1])
    finally
      harness.Stop(other)
    endtry
  })
endfor
