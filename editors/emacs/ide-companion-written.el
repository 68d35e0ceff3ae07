;;; ide-companion-written.el --- Marks of what agents wrote  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What agents wrote without asking is marked in the buffers of its files,
;; kept and reverted there.  The program says which lines it is, also in a
;; buffer with unsaved edits.

;;; Code:

(require 'ide-companion-diff)
(require 'ide-companion-log)
(require 'ide-companion-rpc)
(require 'ide-companion-text)

(defconst ide-companion--most-removed 12 "How many lines of a hunk that went are shown.")
(defconst ide-companion--mark-pause 0.15 "Seconds without an edit after which the marks follow.")

(defvar-local ide-companion--written nil
  "`companion/writtenHunks' of this buffer's file, or nil.")
(defvar-local ide-companion--drawn nil
  "(TICK . HUNKS): hunks as they are drawn, in the text that the buffer had then.")
(defvar-local ide-companion--mark-timer nil)
;; They outlast another mode, and a revert, which sets the mode again.
(put 'ide-companion--written 'permanent-local t)
(put 'ide-companion--drawn 'permanent-local t)

(defun ide-companion--written-hunks (params)
  "`companion/writtenHunks' with PARAMS: mark the buffer of the file."
  (let ((buffer (ide-companion--buffer-of (ide-companion--local-name (plist-get params :filePath)))))
    (when buffer
      (with-current-buffer buffer
        (setq ide-companion--written params)
        (dolist (hook '(after-change-functions after-save-hook after-revert-hook))
          (add-hook hook #'ide-companion--mark-soon nil t)))
      (ide-companion--mark buffer))))

(defun ide-companion--mark-soon (&rest _)
  "Mark this buffer again after a pause of its user."
  (when (timerp ide-companion--mark-timer)
    (cancel-timer ide-companion--mark-timer))
  (setq ide-companion--mark-timer
        (run-with-timer ide-companion--mark-pause nil #'ide-companion--mark (current-buffer))))

(put 'ide-companion--mark-soon 'permanent-local-hook t)

(defun ide-companion--mark (buffer)
  "Mark BUFFER as its text is now."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (let ((tick (buffer-chars-modified-tick)))
        (if (not (buffer-modified-p))
            (ide-companion--draw-written ide-companion--written tick)
          (when (ide-companion--ready-p)
            (ide-companion--ask :companion/placeHunks (ide-companion--place-params)
                                (lambda (placed _)
                                  (when (and placed (buffer-live-p buffer))
                                    (with-current-buffer buffer
                                      (ide-companion--draw-written placed tick)))))))))))

(defun ide-companion--place-params ()
  "The parameters of `companion/placeHunks' for this buffer."
  (list :filePath (plist-get ide-companion--written :filePath)
        :content (ide-companion--get-text (current-buffer))))

(defun ide-companion--draw-written (params tick)
  "Draw the hunks of PARAMS, unless the text is another one than at TICK."
  (when (= tick (buffer-chars-modified-tick))
    (setq ide-companion--drawn (cons tick (append (plist-get params :hunks) nil)))
    (ide-companion--clear (current-buffer))
    (save-restriction
      (widen)
      (ide-companion--with-found-lines
        (mapc #'ide-companion--draw-mark (cdr ide-companion--drawn))))))

(defun ide-companion--draw-mark (hunk)
  "Draw HUNK into the current buffer."
  (pcase-let* ((removed (append (plist-get hunk :removed) nil))
               (more (- (length removed) ide-companion--most-removed))
               (shown (mapconcat (lambda (line) (concat line "\n"))
                                 (if (> more 0) (butlast removed more) removed) ""))
               (`(,begin . ,end) (ide-companion--lines-region (plist-get hunk :line) (plist-get hunk :added))))
    (ide-companion--draw-change (if (> more 0) (format "%s… and %d more lines\n" shown more) shown) begin end)))

(defun ide-companion--written-here ()
  "The hunks of the current buffer as its text is now."
  (when ide-companion--written
    (let ((tick (buffer-chars-modified-tick)))
      (unless (eq tick (car ide-companion--drawn))
        (ide-companion--draw-written
         (if (buffer-modified-p)
             (ide-companion--fetch :companion/placeHunks (ide-companion--place-params))
           ide-companion--written)
         tick)))
    (cdr ide-companion--drawn)))

(defun ide-companion--written-line (hunk)
  "The line of HUNK of a list in this buffer, or nil when it is decided here."
  (let ((id (plist-get hunk :id)))
    (plist-get (if ide-companion--written
                   (seq-find (lambda (one) (equal (plist-get one :id) id))
                             (ide-companion--written-here))
                 hunk)
               :line)))

(defun ide-companion--reverted-files ()
  "Files in whose buffers the user has reverted all hunks, saved or not."
  (delq nil (mapcar (lambda (buffer)
                      (let ((written (buffer-local-value 'ide-companion--written buffer)))
                        (and written
                             (null (cdr (buffer-local-value 'ide-companion--drawn buffer)))
                             (plist-get written :filePath))))
                    (buffer-list))))

(defun ide-companion--go-on (count)
  "Go to another file that an agent wrote: with a COUNT below 0 to the one before."
  (let* ((next (ide-companion--fetch
                :companion/nextWritten
                (list :filePath (if buffer-file-name (ide-companion--file-name buffer-file-name) "")
                      :by count
                      :decided (vconcat (ide-companion--reverted-files)))))
         (path (plist-get next :filePath)))
    (if (null path)
        (ide-companion--say "Nothing else that an agent wrote waits for you")
      (switch-to-buffer (ide-companion--visit path))
      (ide-companion--written-hunks next)
      (let ((hunks (ide-companion--written-here)))
        (when hunks
          (goto-char (ide-companion--line-position
                      (plist-get (if (> count 0) (car hunks) (car (last hunks))) :line))))))))

;;;###autoload
(defun ide-companion-next-written (&optional count)
  "Go to the next change that an agent wrote without asking, also in another file.
With a COUNT below 0 go to the one before."
  (interactive "p")
  (setq count (if (< (or count 1) 0) -1 1))
  (let* ((hunks (ide-companion--written-here))
         (positions (mapcar (lambda (hunk) (ide-companion--line-position (plist-get hunk :line))) hunks))
         (beyond (if (< count 0)
                     (seq-filter (lambda (at) (< at (line-beginning-position))) (nreverse positions))
                   (seq-filter (lambda (at) (> at (point))) positions))))
    (if (null beyond)
        (ide-companion--go-on count)
      (push-mark nil t)
      (goto-char (car beyond)))))

;;;###autoload
(defun ide-companion-previous-written ()
  "Go to the previous change that an agent wrote without asking."
  (interactive)
  (ide-companion-next-written -1))

(defun ide-companion--decide-written (action begin end)
  "Do ACTION with the hunks in the lines from BEGIN to END, and go on."
  (let* ((first (line-number-at-pos begin t))
         (last (max first (line-number-at-pos (if (> end begin) (1- end) end) t)))
         (chosen (seq-filter (lambda (hunk)
                               (let ((line (plist-get hunk :line)))
                                 (and (<= line last)
                                      (>= (+ line (max 0 (1- (plist-get hunk :added)))) first))))
                             (ide-companion--written-here))))
    (if (null chosen)
        (ide-companion-next-written)
      (let ((answer (ide-companion--fetch
                     :companion/decideHunks
                     (append (list :filePath (plist-get ide-companion--written :filePath)
                                   :revision (plist-get ide-companion--written :revision)
                                   :ids (vconcat (mapcar (lambda (hunk) (plist-get hunk :id)) chosen))
                                   :action action)
                             (when (equal action "revert")
                               (list :content (ide-companion--get-text (current-buffer))))))))
        (when (plist-get answer :content)
          (ide-companion--replace-contents (current-buffer) (plist-get answer :content)))
        (deactivate-mark)
        ;; From the line before, as the next one may begin where this one was.
        (goto-char (1- (max 2 (ide-companion--line-position (plist-get (car chosen) :line)))))
        (ide-companion-next-written)))))

(defun ide-companion--lines-here ()
  "The region, or else point: (BEGIN END)."
  (if (use-region-p) (list (region-beginning) (region-end)) (list (point) (point))))

;;;###autoload
(defun ide-companion-keep-written (begin end)
  "Keep what an agent wrote at point, or from BEGIN to END, and go on."
  (interactive (ide-companion--lines-here))
  (ide-companion--decide-written "keep" begin end))

;;;###autoload
(defun ide-companion-revert-written (begin end)
  "Revert what an agent wrote at point, or from BEGIN to END, and go on.
That is an unsaved change of the buffer."
  (interactive (ide-companion--lines-here))
  (ide-companion--decide-written "revert" begin end))

(provide 'ide-companion-written)
;;; ide-companion-written.el ends here
