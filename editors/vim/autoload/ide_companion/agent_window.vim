vim9script
# Windows for the terminals of agents: a split, a tab or a popup. Agents that are shown at once share one area.

import autoload 'ide_companion/config.vim'

const splits = {
  right: 'botright vertical',
  left: 'topleft vertical',
  below: 'botright',
  above: 'topleft',
  tab: 'tab',
}

# A size below 1 is a fraction of the screen.
def ToCells(size: any, all: number): number
  const cells = float2nr(size < 1 ? all * size : size + 0.0)
  return max([1, min([cells, all - 2])])
enddef

# Whether agents are shown in popups. Vim shows one with a terminal at a time, and the user is in it.
export def IsFloat(): bool
  return config.Options().terminal.position == 'float'
enddef

# The popup that shows a buffer; 0 when there is none.
export def FloatOf(buffer: number): number
  return popup_list()->filter((_, popup) => winbufnr(popup) == buffer)->get(0, 0)
enddef

# The window in this tab that shows a buffer; 0 when there is none.
export def Of(buffer: number): number
  const float = FloatOf(buffer)
  return float > 0 ? float : max([0, bufwinid(buffer)])
enddef

# Shows a terminal in a popup.
export def Float(buffer: number, title: string)
  const size: any = config.Options().terminal.size ?? 0.8
  const width = ToCells(size, &columns)
  const height = ToCells(size, &lines - &cmdheight)
  popup_create(buffer, {
    title: printf(' %s ', title), border: [], borderchars: ['─', '│', '─', '│', '╭', '╮', '╯', '╰'],
    minwidth: width, maxwidth: width, minheight: height, maxheight: height,
  })
enddef

# Opens a window with a command that takes `:vertical` and the like, and makes it the current one. `neighbour` is the
# window of another agent in this tab, or 0.
export def Open(command: string, neighbour: number)
  const options: dict<any> = config.Options().terminal
  const split: string = splits[options.position]
  if options.position != 'tab' && win_gotoid(neighbour)
    execute 'belowright' (split =~ 'vertical' ? '' : 'vertical') command
    return
  endif
  execute split command
  if split =~ 'vertical'
    setlocal winfixwidth
    # Wide enough for the boxes of an agent, and at most half of a small screen.
    execute 'vertical resize' ToCells(options.size ?? max([&columns * 45 / 100, min([80, &columns / 2])]), &columns)
  elseif split != 'tab'
    setlocal winfixheight
    execute 'resize' ToCells(options.size ?? 0.45, &lines)
  endif
enddef

# Hides the window of a terminal that runs on. The last window of Vim stays.
export def Hide(buffer: number)
  const float = FloatOf(buffer)
  if float > 0
    popup_close(float)
  elseif winnr('$') > 1 || tabpagenr('$') > 1
    win_execute(bufwinid(buffer), 'hide')
  endif
enddef

defcompile
