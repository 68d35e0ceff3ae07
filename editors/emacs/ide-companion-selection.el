;;; ide-companion-selection.el --- Cursor and selection for agents  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Reads the cursor and the selection of a buffer: region, rectangle or Evil.

;;; Code:

(eval-when-compile
  (require 'subr-x))
(require 'ide-companion-text)

(defcustom ide-companion-selection-functions
  '(ide-companion-evil-selection
    ide-companion-rectangle-selection
    ide-companion-region-selection)
  "Functions that return the selection of the current buffer.
The first one that returns a text is used.  A function returns the
text, or a list of the text and of the buffer positions where it
begins and ends.  They are called without arguments many times a
second, and must be quick."
  :group 'ide-companion
  :type 'hook)

(defconst ide-companion--selection-limit 16384
  "The number of characters of a selection that agents read.")

(defun ide-companion--cursor ()
  "Where point is, as agents count: from 1, in UTF-16 code units."
  (save-restriction
    (widen)
    (let* ((inhibit-field-text-motion t)
           (position (point))
           (start (line-beginning-position))
           (units (- position start)))
      (save-excursion
        (goto-char start)
        (while (re-search-forward "[\U00010000-\U0010ffff]" position t)
          (setq units (1+ units))))
      (list :line (line-number-at-pos position t) :character (1+ units)))))

(defun ide-companion--text-between (start end)
  "The text from START to END, or as much of it as agents read, and both."
  (list (buffer-substring-no-properties
         start (min end (+ start ide-companion--selection-limit)))
        start end))

(defun ide-companion-region-selection ()
  "The active region."
  (and (use-region-p)
       (ide-companion--text-between (region-beginning) (region-end))))

(defun ide-companion--rectangle-text (apply-on start end)
  "The lines of the rectangle from START to END, by APPLY-ON.
APPLY-ON is `apply-on-rectangle' or a function like it.  Return the
text, and the positions of its first character and after its last one."
  (let ((size 0) lines begin last-column)
    (catch 'enough
      (funcall apply-on
               (lambda (left right)
                 (let ((line (ide-companion--text-in-columns left right)))
                   (unless begin
                     (setq begin (- (point) (length line))))
                   (setq last-column right)
                   (push line lines)
                   (setq size (+ size 1 (length line)))
                   (when (> size ide-companion--selection-limit)
                     (throw 'enough nil))))
               start end))
    (list (string-join (nreverse lines) "\n")
          begin
          (save-excursion
            (goto-char (max start end))
            (move-to-column last-column)
            (point)))))

(defun ide-companion--text-in-columns (left right)
  "The text of the current line between the columns LEFT and RIGHT."
  (let ((start (progn (move-to-column left) (point))))
    (move-to-column right)
    (buffer-substring-no-properties (min start (point)) (point))))

(defun ide-companion-rectangle-selection ()
  "The rectangle of `rectangle-mark-mode'."
  (and (bound-and-true-p rectangle-mark-mode)
       (region-active-p)
       (fboundp 'apply-on-rectangle)
       (ide-companion--rectangle-text #'apply-on-rectangle (region-beginning) (region-end))))

(declare-function evil-visual-state-p "evil-states")
(declare-function evil-visual-type "evil-states")
(declare-function evil-apply-on-rectangle "evil-common")
(defvar evil-visual-beginning)
(defvar evil-visual-end)

(defun ide-companion-evil-selection ()
  "The selection of Evil's visual state."
  (when (and (bound-and-true-p evil-local-mode) (evil-visual-state-p))
    (if (eq (evil-visual-type) 'block)
        (ide-companion--rectangle-text #'evil-apply-on-rectangle
                                       evil-visual-beginning evil-visual-end)
      (ide-companion--text-between (marker-position evil-visual-beginning)
                                   (marker-position evil-visual-end)))))

(defun ide-companion--selection ()
  "The selection of the current buffer as it is sent, or nil."
  (let ((found (run-hook-with-args-until-success 'ide-companion-selection-functions)))
    (pcase-let ((`(,text ,start ,end) (if (stringp found) (list found) found)))
      (unless (or (null text) (string-empty-p text))
        (append (list :selectedText (ide-companion--unicode text))
                (and start end
                     (list :selection (list :start (ide-companion--cursor-at start)
                                            :end (ide-companion--cursor-at end)))))))))

(defun ide-companion--selected-lines ()
  "The lines of the region, or the current line: a list of the first and the last."
  (if (use-region-p)
      (list (line-number-at-pos (region-beginning) t)
            ;; A region that ends at the start of a line does not include that line.
            (line-number-at-pos (max (region-beginning) (1- (region-end))) t))
    (list (line-number-at-pos (point) t) (line-number-at-pos (point) t))))

(defun ide-companion--cursor-at (position)
  "Where POSITION of this buffer is, as agents count."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char position)
      (ide-companion--cursor))))

(provide 'ide-companion-selection)
;;; ide-companion-selection.el ends here
